"""Signs up, logs in, submits, lists and maps with the client of openapi-python-client."""

import sys
from uuid import uuid4

from skein_client import AuthenticatedClient, Client
from skein_client.api.accounts import log_in, register_account
from skein_client.api.findings import list_findings
from skein_client.api.maps import get_own_map
from skein_client.api.sightings import submit_sighting
from skein_client.models import Credentials, NewSighting, PointFeature, Registration

url, email, password = sys.argv[1:]
client = Client(base_url=url)
registration = Registration(email=email, password=password, name="Maria Alvarez", old_enough=True)
account = register_account.sync(client=client, body=registration, idempotency_key=str(uuid4()))
session = log_in.sync(client=client, body=Credentials(email=email, password=password))
assert session.account.id == account.id

client = AuthenticatedClient(base_url=url, token=session.access_token)
sighting = NewSighting(
    name="Pacific Wren", count=2, confidence=8, observed_at="2026-05-01T07:30:00-07:00",
    latitude=47.6577, longitude=-122.4056)
answer = submit_sighting.sync_detailed(client=client, body=sighting, idempotency_key=str(uuid4()))
finding = answer.parsed
assert finding.taxon.scientific_name == "Troglodytes pacificus"

position = answer.headers["Log-Position"]
page = list_findings.sync(client=client, log_position=position)
assert [item.id for item in page.items] == [finding.id]
feature = get_own_map.sync(client=client, log_position=position).features[0]
assert isinstance(feature, PointFeature) and feature.id == finding.id
