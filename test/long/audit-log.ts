import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Pod } from '../../contracts/kubernetes.ts';

/** A request as the API server's audit log has it, with times in epoch milliseconds. */
export interface Audited {
  readonly verb: string;
  readonly user: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly uri: string;
  readonly code: number;
  /** When it came, and when it was answered. */
  readonly asked: number;
  readonly answered: number;
  /** What the API server answered, if it was an object. */
  readonly object: Pod | undefined;
}

export interface AuditLog {
  readonly requests: readonly Audited[];
  /** Lines that could not be read: an API server that is killed leaves half of one. */
  readonly broken: number;
}

export async function readAuditLog(path: string, namespace: string): Promise<AuditLog> {
  const requests: Audited[] = [];
  let broken = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const event = parse(line);
    if (!event) broken++;
    else if (event.objectRef?.namespace === namespace) requests.push(auditedFrom(event));
  }
  return { requests: requests.sort((a, b) => a.answered - b.answered), broken };
}

interface Event {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly responseObject?: Pod;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

function parse(line: string): Event | undefined {
  try {
    return JSON.parse(line) as Event;
  } catch {
    return undefined;
  }
}

function auditedFrom(event: Event): Audited {
  const { verb, user, objectRef, responseStatus, responseObject, requestURI } = event;
  return {
    verb,
    user: user.username,
    resource: objectRef?.resource ?? '',
    subresource: objectRef?.subresource,
    namespace: objectRef?.namespace,
    name: objectRef?.name ?? responseObject?.metadata?.name,
    uri: requestURI,
    code: responseStatus?.code ?? 0,
    asked: timeOf(event.requestReceivedTimestamp),
    answered: timeOf(event.stageTimestamp),
    object:
      responseObject?.metadata?.uid && responseObject.kind === 'Pod' ? trimmed(responseObject) : undefined,
  };
}

/** Of a long run there are tens of thousands. */
function trimmed({ apiVersion, kind, metadata, status }: Pod): Pod {
  const { name, uid, labels, deletionTimestamp, ownerReferences } = metadata;
  return {
    ...{ apiVersion, kind, metadata: { name, uid, labels, deletionTimestamp, ownerReferences } },
    spec: { containers: [] },
    status: { phase: status?.phase },
  };
}

/** With its microseconds, which Date.parse drops. */
function timeOf(text: string): number {
  const fraction = /\.(\d+)Z$/.exec(text)?.[1] ?? '0';
  return Date.parse(text.replace(/\.\d+Z$/, 'Z')) + Number(`0.${fraction}`) * 1000;
}
