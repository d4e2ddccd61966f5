"""Verifies an attestation as its users do: verify.py ENVELOPE PUBLIC_KEY [FILE]. Prints what it says, or why not."""

import hashlib
import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from google.protobuf.json_format import ParseDict
from in_toto_attestation.predicates.provenance.v1.provenance_pb2 import Provenance
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1.statement_pb2 import Statement as StatementMessage
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

path, key_path, *files = sys.argv[1:]
envelope = Envelope.from_dict(json.loads(Path(path).read_text()))
(keyid,) = envelope.signatures
key = SSlibKey.from_crypto(load_pem_public_key(Path(key_path).read_bytes()), keyid=keyid)
try:
    envelope.verify([key], 1)
except VerificationError as error:
    sys.exit(f"refused: {error}")
statement = json.loads(envelope.payload)
Statement.copy_from_pb(ParseDict(statement, StatementMessage())).validate()
provenance = ParseDict(statement["predicate"], Provenance())
digests = {subject["digest"].get("sha256") for subject in statement["subject"]}
for file in files:
    if hashlib.sha256(Path(file).read_bytes()).hexdigest() not in digests:
        sys.exit(f"refused: {file} is no subject")
print(f"verified: {provenance.run_details.metadata.invocation_id}")
