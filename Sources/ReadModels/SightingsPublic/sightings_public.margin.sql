-- margin_row(latitude), margin_column(latitude, longitude): the margin cell of a place, as the domain's MarginCell
-- computes it: rows of 10 km along the meridian arc of WGS 84 from the equator, columns of 10 km along the parallel
-- from -180 degrees.
--
-- The arc is Helmert's series in the third flattening n, up to its fourth power: exact to a tenth of a millimetre. A
-- latitude within a tenth of a millimetre of the equator counts as 0: PostgreSQL rejects results that underflow, and a
-- fold must never fail.
--
-- Why this shape: without a subquery, and not declared strict (null is null anyway), they are put into the expression
-- that calls them. A call would cost fifty times as much.
create or replace function off_equator(latitude double precision) returns double precision
language sql immutable parallel safe
return case when abs(latitude) < 1e-9 then 0 else latitude end;

create or replace function row_at(y double precision) returns integer language sql immutable parallel safe
return floor((6367449.145823415 * radians(y)
              - 16038.508662968 * sind(2 * y) + 16.832613263 * sind(4 * y)
              - 0.021984439 * sind(6 * y) + 0.000031148 * sind(8 * y)) / 10000)::integer;

create or replace function margin_row(latitude double precision) returns integer language sql immutable parallel safe
return row_at(off_equator(latitude));

create or replace function column_at(y double precision, longitude double precision) returns integer
language sql immutable parallel safe
return floor(6378137 * cosd(y) / sqrt(1 - 0.0066943799901413165 * sind(y) ^ 2) * radians(longitude + 180)
             / 10000)::integer;

create or replace function margin_column(latitude double precision, longitude double precision) returns integer
language sql immutable parallel safe
return column_at(off_equator(latitude), longitude);
