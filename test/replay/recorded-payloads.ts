import { DIGEST_SIGNAL, JOB_FAILED, TRAINING_JOB } from '../../contracts/messages.ts';
import type { ExportedHistory } from '../../scripts/release/replay-set.ts';

/** What processes sent each other, by the name of the schema that it follows. */
interface RecordedPayload {
  readonly schema: string;
  readonly value: unknown;
}

/** Returns what the history of a job has of watchers, clients and workers. Other workflows have nothing that is published. */
export function payloadsIn({ events }: ExportedHistory): readonly RecordedPayload[] {
  const [started] = attributesOf(events, 'workflowExecutionStarted');
  if (started?.workflowType?.name !== TRAINING_JOB) return [];
  const of = (name: string) => attributesOf(events, name);
  const digests = of('workflowExecutionSignaled').flatMap(({ signalName, input }) =>
    signalName === DIGEST_SIGNAL ? decoded(input) : [],
  );
  const requests = of('workflowExecutionUpdateAccepted').map(({ acceptedRequest }) => {
    const { name, args } = acceptedRequest!.input;
    const [asked] = decoded(args);
    return { schema: `${kebab(name)}-request`, value: asked ?? {} };
  });
  const statuses = of('activityTaskScheduled')
    .flatMap(({ input }) => decoded(input))
    .flatMap((argument) => (argument as { status?: { timeline: unknown[] } } | null)?.status ?? []);
  const results = of('workflowExecutionCompleted').flatMap(({ result }) => decoded(result));
  const failures = of('workflowExecutionFailed').flatMap(({ failure }) => {
    const { type, details } = failure?.applicationFailureInfo ?? {};
    return type === JOB_FAILED ? decoded(details).slice(0, 1) : [];
  });
  return [
    ...named('digest', digests),
    ...requests,
    ...named('status', statuses),
    ...named(
      'timeline-entry',
      statuses.flatMap(({ timeline }) => timeline),
    ),
    ...named('outcome', [...results, ...failures]),
  ];
}

const named = (schema: string, values: readonly unknown[]) => values.map((value) => ({ schema, value }));

interface Payloads {
  readonly payloads?: readonly { readonly data?: string }[];
}

interface Attributes {
  readonly workflowType?: { readonly name: string };
  readonly signalName?: string;
  readonly input?: Payloads;
  readonly result?: Payloads;
  readonly acceptedRequest?: { readonly input: { readonly name: string; readonly args?: Payloads } };
  readonly failure?: {
    readonly applicationFailureInfo?: { readonly type?: string; readonly details?: Payloads };
  };
}

const attributesOf = (events: ExportedHistory['events'], name: string): readonly Attributes[] =>
  events.flatMap((event) => (event[`${name}EventAttributes`] as Attributes | undefined) ?? []);

const decoded = ({ payloads = [] }: Payloads = {}): unknown[] =>
  payloads.map(({ data = 'bnVsbA==' }) => JSON.parse(Buffer.from(data, 'base64').toString('utf8')));

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
