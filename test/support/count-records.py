# Counts what is in recordings of JSON lines without any code of the project: records, lines that are none, and for some simple conditions the
# records for which they certainly hold. Reads a JSON list of lists of files, and prints a JSON list.
import ipaddress
import json
import sys

FIELDS = """client_ip client_port server_ip server_port method url scheme host host_name path query target request_line protocol tls_version
tls_cipher server_name user_agent referer request_headers status response_size response_headers alpn ja4 country continent region city postal_code
time_zone latitude longitude asn as_organization x_c""".split()
LONGEST = 256 * 1024
NETWORK = ipaddress.ip_network("10.0.0.0/8")


def refuse(constant):
    raise ValueError(constant)


def record_in(line):
    """Returns the object of a line; None for anything else, such as invalid UTF-8 (RFC 8259, section 8.1)."""
    if len(line) > LONGEST:
        return None
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def is_in_network(text):
    try:
        return ipaddress.ip_address(text) in NETWORK
    except ValueError:
        return False


CONDITIONS = [
    lambda record: record.get("method") == "GET",
    lambda record: isinstance(record.get("client_ip"), str) and is_in_network(record["client_ip"]),
    lambda record: record.get("country") == "DE",
]


def count(files):
    exchanges, skipped, matched = 0, 0, [0 for _ in CONDITIONS]
    for file in files:
        with open(file, "rb") as opened:
            lines = opened.read().removeprefix(b"\xef\xbb\xbf").split(b"\n")
        for line in lines:
            if line.strip(b" \t\r") == b"":
                # Blanks are a line that is no record, and an empty line is none.
                skipped += line.rstrip(b"\r") != b""
                continue
            record = record_in(line)
            if record is None or all(record.get(field) is None for field in FIELDS):
                skipped += 1
                continue
            exchanges += 1
            for index, holds in enumerate(CONDITIONS):
                matched[index] += holds(record)
    return {"exchanges": exchanges, "skipped": skipped, "matched": matched}


json.dump([count(files) for files in json.load(sys.stdin)], sys.stdout)
