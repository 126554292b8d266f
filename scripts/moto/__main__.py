"""An S3 service for tests: moto's server, which checks every signature, until standard input ends.

Prints one line of JSON: {"port", "bucket", "accessKey", "secretKey"}. What it needs is in `.build/moto`, where
`python3 scripts/moto install` puts it.
"""

import json
import os
import sys
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from service import environment  # noqa: E402

BUCKET = "skein-photos"


def serve():
    # Keys to make the first keys with, and pages short enough for a listing to have several.
    os.environ.update(
        AWS_ACCESS_KEY_ID="setup", AWS_SECRET_ACCESS_KEY="setup", AWS_DEFAULT_REGION="us-east-1",
        MOTO_S3_DEFAULT_MAX_KEYS="3")
    import boto3
    from moto import settings
    from moto.iam.access_control import S3IAMRequest
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    endpoint = f"http://127.0.0.1:{port}"
    boto3.client("s3", endpoint_url=endpoint).create_bucket(Bucket=BUCKET)
    users = boto3.client("iam", endpoint_url=endpoint)
    users.create_user(UserName="skein")
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    users.put_user_policy(UserName="skein", PolicyName="photos", PolicyDocument=json.dumps(policy))
    key = users.create_access_key(UserName="skein")["AccessKey"]
    # moto computes the signature of a query that it has decoded; S3 signs the encoded one.
    create = S3IAMRequest._create_aws_request

    def create_encoded(request):
        path, _, query = request._path.partition("?")
        request._path = path + "?" * bool(query) + urlencode(parse_qsl(query, True), quote_via=quote, safe="")
        return create(request)

    S3IAMRequest._create_aws_request = create_encoded
    # From now on every request must be signed.
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    print(json.dumps({"port": port, "bucket": BUCKET, "accessKey": key["AccessKeyId"],
                      "secretKey": key["SecretAccessKey"]}), flush=True)
    sys.stdin.read()
    server.stop()


def main(command):
    if command == "serve":
        serve()
        return
    python = environment("moto", Path(__file__).with_name("requirements.txt")) / "bin" / "python"
    if command != "install":
        os.execv(python, [python, __file__, "serve"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
