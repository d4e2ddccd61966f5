"""Models of pydantic, generated from the JSON Schemas of signalbox.

`manifests` has the kinds of jobs, `policy` the annotation `signalbox.dev/policy`, both with the names of fields in
YAML. `records` has what is read: status, outcome and evidence, with names in Python's manner. `requests` has the
arguments of interventions, as they are sent.
"""
