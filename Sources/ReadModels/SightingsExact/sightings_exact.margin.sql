-- margin_row(latitude), margin_column(latitude, longitude): the margin cell of a place, as the domain's MarginCell
-- computes it: rows of 10 km along the meridian arc of WGS 84 from the equator, columns of 10 km along the parallel
-- from -180 degrees.
--
-- The arc is Helmert's series in the third flattening n, up to its fourth power: exact to a tenth of a millimetre.
create or replace function margin_row(latitude double precision) returns integer
language sql immutable strict parallel safe
return floor((6367449.145823415 * radians(latitude)
              - 16038.508662968 * sind(2 * latitude) + 16.832613263 * sind(4 * latitude)
              - 0.021984439 * sind(6 * latitude) + 0.000031148 * sind(8 * latitude)) / 10000)::integer;

create or replace function margin_column(latitude double precision, longitude double precision) returns integer
language sql immutable strict parallel safe
return floor(6378137 * cosd(latitude) / sqrt(1 - 0.0066943799901413165 * sind(latitude) ^ 2)
             * radians(longitude + 180) / 10000)::integer;
