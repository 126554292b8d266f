"""Signs up, logs in, submits, lists and maps with the client of openapi-generator's `python`."""

import sys
from uuid import uuid4

from openapi_client import ApiClient, Configuration
from openapi_client.api import AccountsApi, FindingsApi, MapsApi, SightingsApi
from openapi_client.models import Credentials, NewSighting, PointFeature, Registration

url, email, password = sys.argv[1:]
client = ApiClient(Configuration(host=url))
accounts = AccountsApi(client)
registration = Registration(email=email, password=password, name="Maria Alvarez", old_enough=True)
account = accounts.register_account(idempotency_key=str(uuid4()), registration=registration)
session = accounts.log_in(credentials=Credentials(email=email, password=password))
assert session.account.id == account.id

client.configuration.access_token = session.access_token
sighting = NewSighting(
    name="Pacific Wren", count=2, confidence=8, observed_at="2026-05-01T07:30:00-07:00",
    latitude=47.6577, longitude=-122.4056)
answer = SightingsApi(client).submit_sighting_with_http_info(idempotency_key=str(uuid4()), new_sighting=sighting)
finding = answer.data
assert finding.taxon.scientific_name == "Troglodytes pacificus"

position = answer.headers["Log-Position"]
page = FindingsApi(client).list_findings(log_position=position)
assert [item.id for item in page.items] == [finding.id]
feature = MapsApi(client).get_own_map(log_position=position).features[0].actual_instance
assert isinstance(feature, PointFeature) and feature.id == finding.id
