import { missingRightIn, missingRightText } from '../contracts/missing-right.ts';
import { remedyOfRefusal } from '../contracts/refusal-remedies.ts';

/** What an API server refuses, as people read it: what, where, and who can change that. */

interface RefusedRequest {
  /** E.g. `POST /api/v1/namespaces/ml/pods?fieldManager=x`. */
  readonly request: string;
  /** E.g. `403 Forbidden`. */
  readonly code: string;
  /** The server's message. */
  readonly detail: string;
}

/** Returns a sentence without paths; undefined if the request has none. */
export function refusedText({ request, code, detail }: RefusedRequest): string | undefined {
  const right = missingRightIn(detail);
  if (right) return missingRightText(right);
  const parts = partsOf(request);
  return parts && `cannot ${askedText(parts)} (${code}): ${detail}`;
}

/** Returns what helps; undefined if nothing is known that does. */
export const refusedRemedy = ({ request, detail }: Omit<RefusedRequest, 'code'>): string | undefined =>
  remedyOfRefusal(detail, partsOf(request)?.namespace ?? '');

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'replace',
  PATCH: 'change',
  DELETE: 'delete',
};

/** `create pods in namespace ml`. */
function askedText({ method, resource, name, sub, namespace }: RequestParts): string {
  const verb = VERBS[method] ?? (name === undefined ? 'list' : 'read');
  const what = [resource, name, sub].filter((part) => part !== undefined).join('/');
  return `${verb} ${what}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}

interface RequestParts {
  readonly method: string;
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string | undefined;
  readonly sub: string | undefined;
}

const PATH =
  /^([A-Z]+) \/(?:api\/[^/?]+|apis\/[^/?]+\/[^/?]+)\/(?:namespaces\/([^/?]+)\/)?([^/?]+)(?:\/([^/?]+))?(?:\/([^/?]+))?(?:\?.*)?$/;

function partsOf(request: string): RequestParts | undefined {
  const [, method, namespace, resource, name, sub] = PATH.exec(request) ?? [];
  return method === undefined || resource === undefined
    ? undefined
    : { method, namespace, resource, name, sub };
}
