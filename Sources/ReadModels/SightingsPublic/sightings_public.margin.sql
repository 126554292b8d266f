-- margin_row(latitude), margin_column(latitude, longitude): the margin cell of a place, as the domain's MarginCell
-- computes it: rows of 10 km along the meridian arc of WGS 84 from the equator, columns of 10 km along the parallel
-- from -180 degrees.
--
-- The arc is Helmert's series in the third flattening n, up to its fourth power: exact to a tenth of a millimetre. A
-- latitude within a tenth of a millimetre of the equator counts as 0: PostgreSQL rejects results that underflow, and a
-- fold must never fail.
create or replace function margin_row(latitude double precision) returns integer
language sql immutable strict parallel safe
return (select floor((6367449.145823415 * radians(l.y)
                      - 16038.508662968 * sind(2 * l.y) + 16.832613263 * sind(4 * l.y)
                      - 0.021984439 * sind(6 * l.y) + 0.000031148 * sind(8 * l.y)) / 10000)::integer
          from (select case when abs(latitude) < 1e-9 then 0 else latitude end as y) l);

create or replace function margin_column(latitude double precision, longitude double precision) returns integer
language sql immutable strict parallel safe
return (select floor(6378137 * cosd(l.y) / sqrt(1 - 0.0066943799901413165 * sind(l.y) ^ 2)
                     * radians(longitude + 180) / 10000)::integer
          from (select case when abs(latitude) < 1e-9 then 0 else latitude end as y) l);
