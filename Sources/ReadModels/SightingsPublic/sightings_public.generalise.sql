-- guarded(category, geoprivacy): whether a record appears with its month, and without observer, text or day.
create or replace function guarded(category smallint, geoprivacy integer) returns boolean
language sql immutable parallel safe
return coalesce(category = 2, false) or geoprivacy = 2;

-- uuid_8(hash): a UUID of version 8 (RFC 9562) from the first 16 bytes of a hash.
create or replace function uuid_8(hash bytea) returns uuid language sql immutable strict parallel safe
return encode(set_byte(set_byte(substring(hash for 16), 6, (get_byte(hash, 6) & 15) | 128),
                       8, (get_byte(hash, 8) & 63) | 128), 'hex')::uuid;

-- public_id(stream, root, face, category, geoprivacy, narrowings): the id under which a sighting is public; null: none.
--   root, face  nonces of its first event, and of the newest one that changed its values
--   narrowings  how often its geoprivacy was narrowed
--
-- The id of a generalised record is random: nonces are 128 random bits that never leave the log. Another category or
-- geoprivacy makes another id, so that what was public before cannot be joined with what is public now. That of a
-- guarded record changes with its values too: a correction would otherwise show two cells of one animal.
create or replace function public_id(
    stream uuid, root uuid, face uuid, category smallint, geoprivacy integer, narrowings integer)
returns uuid language sql immutable parallel safe
return case when category = 1 then null
            when category is null and geoprivacy = 0 then stream
            else uuid_8(sha256(
                    uuid_send(case when guarded(category, geoprivacy) then face else root end)
                    || 'public'::bytea || int2send(coalesce(category, 0::smallint)) || int4send(geoprivacy)
                    || int4send(narrowings)))
       end;

-- Degrees as whole millionths, halves away from zero, in the same binary arithmetic as the domain's GridPoint.
create or replace function millionths(degrees double precision) returns integer
language sql immutable strict parallel safe
return (sign(degrees) * floor(abs(degrees * 1000000) + 0.5))::integer;

-- Metres on the spheroid between two latitudes that are `width` of longitude apart; all in millionths of a degree.
create or replace function metres_apart(latitude integer, other integer, width integer) returns double precision
language sql immutable strict parallel safe
return ST_Distance(ST_Point(0, latitude / 1000000.0::double precision, 4326)::geography,
                   ST_Point(width / 1000000.0::double precision, other / 1000000.0::double precision, 4326)::geography);

-- The public time of a record whose place is hidden. Zones follow borders that a cell may straddle, so an instant is
-- given in UTC, with the solar date at the middle of the cell: `hours` east of UTC.
create or replace function date_by_the_sun(moment text, hours integer) returns date
language sql immutable strict parallel safe
return (moment::timestamptz at time zone 'UTC' + make_interval(hours => hours))::date;

create or replace function by_the_sun(observed jsonb, hours integer) returns jsonb
language sql immutable strict parallel safe
return case when observed ->> 'precision' <> 'instant' then observed - '{from,to,zone}'::text[]
            else observed - 'zone' || jsonb_build_object(
                'value', observed ->> 'from',
                'localFrom', date_by_the_sun(observed ->> 'from', hours),
                'localTo', date_by_the_sun(observed ->> 'from', hours))
       end;

-- The public time of a record of category 3 or obscured: the day.
create or replace function to_the_day(observed jsonb) returns jsonb language sql immutable strict parallel safe
return case when observed ->> 'precision' <> 'instant' then observed
            else jsonb_build_object(
                'value', observed ->> 'localFrom', 'precision', 'day',
                'localFrom', observed ->> 'localFrom', 'localTo', observed ->> 'localTo')
       end;

-- The public time of a guarded record: the month; for a year, the year.
create or replace function to_the_month(observed jsonb) returns jsonb language sql immutable strict parallel safe
return case when observed ->> 'precision' in ('year', 'month')
            then observed - '{from,to,zone}'::text[]
            else jsonb_build_object(
                'value', left(observed ->> 'localFrom', 7), 'precision', 'month',
                'localFrom', date_trunc('month', (observed ->> 'localFrom')::timestamp)::date,
                'localTo', (date_trunc('month', (observed ->> 'localFrom')::timestamp)
                            + interval '1 month - 1 day')::date)
       end;

-- count_range(count): the number of individuals as guarded records show it; null where they were not counted.
create or replace function count_range(count integer) returns text language sql immutable strict parallel safe
return case when count = 1 then '1' when count <= 10 then '2-10' else '11+' end;

-- generalised(state, category, geoprivacy): the public values of a sighting's state.
--   state       the merged payloads of its events
--   category    its effective sensitivity, 2 to 4 or null (a record of category 1 is never shown)
--   geoprivacy  0 open, 1 obscured, 2 private
-- Result: the state with public values only, and `cell`, the decimals of the cell's side, if it has one.
--
-- Places are counted in whole millionths of a degree, as the domain's GridCell does: the same cell everywhere, and a
-- centre with just the decimals it has. A cell holds its southern and western sides, the last ones the pole and the
-- 180th meridian too. Called by fold, under its search path.
create or replace function generalised(state jsonb, category smallint, geoprivacy integer) returns jsonb
language plpgsql immutable as $$
declare
    place    jsonb := state -> 'place';
    observed jsonb := state -> 'observed';
    decimals integer := least(case category when 2 then 1 when 3 then 2 when 4 then 3 end,
                              case geoprivacy when 1 then 1 end);
    side     integer;
    y        integer;
    x        integer;
    reach    double precision;
begin
    if decimals is not null and geoprivacy < 2 and state ->> 'latitude' is not null then
        side := 10 ^ (6 - decimals);
        y := least(millionths((state ->> 'latitude')::double precision), 89999999);
        x := least(millionths((state ->> 'longitude')::double precision), 179999999);
        y := floor(y::numeric / side) * side;
        x := floor(x::numeric / side) * side;
    end if;
    if guarded(category, geoprivacy) then
        -- Values that were typed distinguish observers; the protocol of a target reveals its region and week.
        state := state - '{observer,count,confidence,protocol}'::text[]
                 || jsonb_build_object('countRange', count_range((state ->> 'count')::integer));
        -- In UTC: a month computed in two ways, as the place came and went, would reveal the hour at its end.
        observed := to_the_month(by_the_sun(observed, 0));
    else
        observed := by_the_sun(observed, coalesce(round((x + side / 2) / 15000000.0)::integer, 0));
        if decimals <= 2 then
            observed := to_the_day(observed);
        end if;
    end if;
    state := state || jsonb_build_object('observed', observed);
    if geoprivacy = 2 then
        return state - '{latitude,longitude,uncertaintyMetres,place}'::text[];
    end if;
    if x is null then
        return state;
    end if;

    -- Distances on the spheroid do not depend on the longitude, and west is as far as east.
    reach := ceil(greatest(metres_apart(y + side / 2, y, side / 2), metres_apart(y + side / 2, y + side, side / 2)));
    return state || jsonb_build_object(
        'latitude', (y + side / 2)::numeric / 1000000, 'longitude', (x + side / 2)::numeric / 1000000, 'cell', decimals,
        'uncertaintyMetres', case when guarded(category, geoprivacy) then reach
                                  else greatest(reach, (state ->> 'uncertaintyMetres')::double precision) end,
        'place', jsonb_build_object(
            'state', case when (place ->> 'stateCell')::integer <= decimals then place ->> 'state' end,
            'region', case when (place ->> 'regionCell')::integer <= decimals then place ->> 'region' end,
            'country', case when (place ->> 'countryCell')::integer <= decimals then place ->> 'country' end));
end $$;

-- withdrawal_notice(public, status): what stays public of a withdrawn or rejected record's public values; the reason of
-- a rejection is the first of its codes. They are generalised before:
-- without its place, a record's date would be another one.
create or replace function withdrawal_notice(public jsonb, status text) returns jsonb
language sql immutable strict parallel safe
return jsonb_build_object('taxon', public -> 'taxon', 'qualifier', public -> 'qualifier',
                          'observed', public -> 'observed',
                          'reason', case status when 'rejected' then public #> '{reasons,0}'
                                                else public -> 'reason' end);
