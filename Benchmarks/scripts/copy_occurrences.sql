-- The reference of `export`, for psql: the columns of a CSV export in their order, of the imported records that it has,
-- sorted by id, as they are now. The variables are the schemas of read models. Columns that the records never fill are
-- null; no record is compared with others of the same original id.
copy (
    with recursive line as materialized (
        select t.taxon as start, t.parent, t.rank, t.scientific_name
          from :"taxa".taxon_states t where upper_inf(t.valid)
        union all
        select l.start, p.parent, p.rank, p.scientific_name
          from line l
          join :"taxa".taxon_states p on p.taxon = l.parent and upper_inf(p.valid)
    ),
    ranks as materialized (
        select l.start,
               max(l.scientific_name) filter (where l.rank = 'kingdom') as kingdom,
               max(l.scientific_name) filter (where l.rank = 'phylum') as phylum,
               max(l.scientific_name) filter (where l.rank = 'class') as class,
               max(l.scientific_name) filter (where l.rank = 'order') as "order",
               max(l.scientific_name) filter (where l.rank = 'family') as family,
               max(l.scientific_name) filter (where l.rank = 'genus') as genus
          from line l group by l.start
    ),
    titles as materialized (
        select d.id, c.value as title
          from :"datasets".datasets d
          join vault.content c on c.stream = d.id and c.field = 'title'
         where d.republish = 'yes'
    )
    select coalesce(c.row ->> 'occurrenceID', 'urn:uuid:' || s.id) as "occurrenceID",
           coalesce(c.row ->> 'basisOfRecord', 'Occurrence') as "basisOfRecord", 'present' as "occurrenceStatus",
           t.scientific_name as "scientificName", t.authorship as "scientificNameAuthorship", t.rank as "taxonRank",
           k.kingdom, k.phylum, k.class, k."order", k.family, k.genus, t.common_names ->> 'en' as "vernacularName",
           t.taxon as "taxonID", s.qualifier as "identificationQualifier",
           c.row ->> 'verbatimName' as "verbatimIdentification", s.status as "identificationVerificationStatus",
           s.observed as "eventDate", s.count as "individualCount", null as "organismQuantity",
           null as "organismQuantityType", c.row ->> 'sex' as sex, c.row ->> 'lifeStage' as "lifeStage",
           null as "degreeOfEstablishment", round(s.latitude::numeric, 6) as "decimalLatitude",
           round(s.longitude::numeric, 6) as "decimalLongitude", 'EPSG:4326' as "geodeticDatum",
           s.uncertainty as "coordinateUncertaintyInMeters", null as "coordinatePrecision", s.country as "countryCode",
           s.state as "stateProvince", s.region as "higherGeography", c.row ->> 'locality' as locality,
           c.row ->> 'recordedBy' as "recordedBy", c.row ->> 'recordedByID' as "recordedByID",
           c.row ->> 'eventID' as "eventID", c.row ->> 'samplingProtocol' as "samplingProtocol",
           c.row ->> 'samplingEffort' as "samplingEffort", c.row ->> 'sampleSizeValue' as "sampleSizeValue",
           c.row ->> 'sampleSizeUnit' as "sampleSizeUnit", c.row ->> 'occurrenceRemarks' as "occurrenceRemarks",
           null as "associatedMedia",
           case s.licence when 'CC0-1.0' then 'https://creativecommons.org/publicdomain/zero/1.0/legalcode'
                          when 'CC-BY-4.0' then 'https://creativecommons.org/licenses/by/4.0/legalcode'
                          else 'https://creativecommons.org/licenses/by-nc/4.0/legalcode' end as license,
           c.row ->> 'rightsHolder' as "rightsHolder", c.row ->> 'institutionCode' as "institutionCode",
           c.row ->> 'collectionCode' as "collectionCode", c.row ->> 'catalogNumber' as "catalogNumber",
           s.dataset as "datasetID", d.title as "datasetName",
           c.row ->> 'bibliographicCitation' as "bibliographicCitation", null as "dataGeneralizations",
           null as "informationWithheld", 'https://bench.example.org/v1/sightings/' || s.id as "references",
           c.row ->> 'dynamicProperties' as "dynamicProperties"
      from :"sightings".records s
      join titles d on d.id = s.dataset
      left join :"taxa".taxon_states t on t.taxon = s.taxon and upper_inf(t.valid)
      left join ranks k on k.start = s.taxon
      left join lateral (
        select c.value::jsonb as row from vault.content c
         where c.stream = s.id and c.field = 'record' order by c.position desc limit 1) c on true
     where s.kind = 'record' and upper_inf(s.valid) and upper_inf(s.shown) and s.licence is not null
       and s.status in ('approved', 'accepted-by-source')
     order by s.id
) to stdout with (format csv, header)
