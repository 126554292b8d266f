"""The responses of the API, computed from exports."""

import effort
import options
import trend
from table import ALL, span


def ranges(table):
    """As `GET /v1/taxa/{id}/ranges`."""
    return {"parameters": options.parameters(table.rule), "items": table.rows()}


def margin_trend(table, metric, survey=None, seed=""):
    """As `GET /v1/taxa/{id}/trend`, of the end and the region of the table's rule.

    `survey` is the path of a survey export, without which there are no visits; draws begin with the text `seed`.
    """
    rule = table.rule
    region, end, kind = rule.region or ALL, rule.end, rule.period
    question = effort.Question(table, region, end, metric)
    points, truncated = [], set()
    for period, places in table.records(region).items():
        points.append((period, *question.value(places)))
        if table.is_truncated(region, period, end):
            truncated.add(period)
    visits = effort.visits(survey, table, region) if survey else []
    raw = trend.of(points, kind, truncated)
    sampled = effort.well_sampled(visits, question, truncated)
    rarefied = effort.rarefied(visits, question, seed, truncated)
    return {
        "parameters": {**options.parameters(rule), "metric": metric},
        "series": [
            {**point, "truncated": period in truncated}
            for point, (period, _, _) in zip(_series(points, kind), points)],
        **_figures(raw, points),
        "effort": {
            "visits": len(visits), "periods": len({visit.period for visit in visits}),
            "poorPeriods": [span(period, kind) for period in rarefied["poor"]], "seed": seed,
            "wellSampled": {
                "cells": sampled["cells"], "series": _series(sampled["series"], kind),
                **_figures(sampled["trend"], sampled["series"])},
            "rarefaction": {
                "count": rarefied["count"], "draws": effort.DRAWS, "series": _series(rarefied["series"], kind),
                **_figures(rarefied["trend"], rarefied["series"])},
            "table": [{**span(row.pop("period"), kind), **row} for row in effort.bands(visits, end, points)],
        },
        "conclusion": trend.conclusion(raw[0], [sampled["trend"][0], rarefied["trend"][0]]),
    }


def _series(points, kind):
    return [{**span(period, kind), "value": value, "reason": reason} for period, value, reason in points]


def _figures(result, points):
    found, reason = result
    if found is not None:
        return {**found, "reason": None}
    none = dict.fromkeys(("slope", "slopeKm", "p", "tau", "autocorrelation"))
    return {"n": sum(value is not None for _, value, _ in points), **none, "reason": reason}
