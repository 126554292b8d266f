"""An SMTP server for tests, until standard input ends.

Prints one line of JSON with its {"port"}, then one for each mail: {"from", "to", "defects", "headers", "text", "html"}.
What it needs is in `.build/smtp`, where `python3 scripts/smtp install` puts it.
"""

import asyncio
import email
import email.policy
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from service import environment  # noqa: E402


class Printer:
    """Prints mails, as Python's parser reads them."""

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = {part.get_content_type(): part.get_content() for part in message.iter_parts()}
        defects = [str(defect) for part in message.walk() for defect in part.defects]
        headers = {name: str(value) for name, value in message.items()}
        defects += [str(defect) for value in message.values() for defect in value.defects]
        print(json.dumps({
            "from": envelope.mail_from, "to": envelope.rcpt_tos, "defects": defects, "headers": headers,
            "type": message.get_content_type(), "text": parts.get("text/plain"), "html": parts.get("text/html")}),
            flush=True)
        return "250 OK"


async def receive():
    from aiosmtpd.smtp import SMTP

    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Printer(), enable_SMTPUTF8=True), "127.0.0.1", 0)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


def main(command):
    if command == "serve":
        asyncio.run(receive())
        return
    python = environment("smtp", Path(__file__).with_name("requirements.txt")) / "bin" / "python"
    if command != "install":
        os.execv(python, [python, __file__, "serve"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
