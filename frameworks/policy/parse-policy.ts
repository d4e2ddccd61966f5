import type { Fault, Policy } from '../../contracts/types.ts';
import { faultsOf } from '../fields/faults.ts';
import { faultOfUnknown, unknownFieldsOfSchema } from '../fields/unknown-fields.ts';
import { POLICY_PATH, type PolicyDocument, readPolicyDocument } from './document.ts';
import { normalisePolicy } from './normalise.ts';
import { checkFit, checkRules, type Subject } from './rules.ts';
import { policySchema } from './schema.ts';

type ParsedPolicy = { readonly policy: Policy } | { readonly faults: readonly Fault[] };

/**
 * Parses the annotation for a job. Without `subject`, because the roles have faults, skips the checks against the job.
 * Reports all faults at once.
 */
export function parsePolicy(text: string, subject?: Subject): ParsedPolicy {
  const read = readPolicyDocument(text);
  return 'document' in read ? parseDocument(read.document, subject) : { faults: [read] };
}

function parseDocument(document: PolicyDocument, subject: Subject | undefined): ParsedPolicy {
  // Unknown fields are faults: a policy that silently has no effect is noticed too late.
  const unknown = unknownFieldsOfSchema(policySchema, document, POLICY_PATH).map(faultOfUnknown);
  const parsed = policySchema.safeParse(document);
  if (!parsed.success) return { faults: [...unknown, ...faultsOf(parsed.error, document, POLICY_PATH)] };
  const rules = [...checkRules(parsed.data), ...(subject ? checkFit(parsed.data, subject) : [])];
  const faults = [...unknown, ...rules.map(inDocument)];
  return faults.length ? { faults } : { policy: normalisePolicy(parsed.data) };
}

const inDocument = (fault: Fault): Fault => ({ ...fault, path: `${POLICY_PATH}.${fault.path}` });
