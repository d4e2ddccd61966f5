import type { WorkflowExecutionInfo } from '@temporalio/client';
import {
  NOTIFICATION,
  type NotificationMemo,
  type NotificationResult,
} from '../../../contracts/notifications.ts';
import { ATTRIBUTE_NAMES } from '../../../contracts/search-attribute-names.ts';
import { SEARCH_ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import { attributeIs, quoted } from '../../../contracts/visibility-query.ts';
import { asFields } from '../../../language/fields.ts';
import { findWorkflow } from '../../../temporal/find-workflow.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import { eachTranslated } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import { eachWorkflow } from '../../servers/each-workflow.ts';
import type { TemporalPort } from '../../servers/ports.ts';

/**
 * Which notifications to list.
 *
 * @public
 */
export interface NotificationFilter {
  /** Of jobs of this namespace. */
  readonly namespace?: string;
  /** Of jobs of this name. */
  readonly name?: string;
  /** Of this route. */
  readonly route?: string;
  /** Only those that have not been delivered. */
  readonly undelivered?: boolean;
  /** About what began then or later. */
  readonly since?: Date;
  /** About what began then or before. */
  readonly until?: Date;
  /** List at most this many. */
  readonly limit?: number;
}

/**
 * What was told to a receiver, or is to be told.
 *
 * @public
 */
export interface ListedNotification {
  readonly workflowId: string;
  readonly route: string;
  /** Name of the receiver. */
  readonly to: string;
  /** What is told, in a few words, e.g. `Failed (PodFailed)`. */
  readonly says: string;
  /** When that began, RFC 3339. */
  readonly at: string;
  /** The job that it is about, if it is about one. */
  readonly job?: { readonly namespace: string; readonly name: string };
  /** `trying`: it was not delivered yet. `refused`: it will not be. */
  readonly state: 'trying' | 'told' | 'refused';
  /** When the receiver took it, RFC 3339. */
  readonly toldAt?: string;
  /** How often it was tried, and why the last try failed. */
  readonly tries?: number;
  readonly why?: string;
  /** The workflow that tells it with others. */
  readonly within?: string;
}

const MOST_IN_A_PAGE = 200;

/** Yields notifications, the ones that are not delivered first, and the newest first. Needs neither worker nor notifier. */
export const listNotifications = (
  ports: TemporalPort,
  filter: NotificationFilter,
  options: CallOptions,
): AsyncGenerator<ListedNotification> =>
  eachTranslated({ ports, workflowId: '' }, async function* () {
    let left = filter.limit ?? Number.POSITIVE_INFINITY;
    const groups = new Map<string, Promise<Delivery>>();
    const pageSize = Math.min(left, MOST_IN_A_PAGE);
    if (left < 1) return;
    for await (const info of eachWorkflow(ports, { query: queryOf(filter), pageSize, options })) {
      const memo = memoOf(info);
      if (!memo || !isChosen(memo, filter)) continue;
      yield await notificationOf(ports, { info, memo }, groups);
      left -= 1;
      if (left < 1) return;
    }
  });

function queryOf({ namespace, name, route, undelivered }: NotificationFilter): string {
  return [
    `WorkflowType = ${quoted(NOTIFICATION)}`,
    ...(namespace === undefined ? [] : [attributeIs(ATTRIBUTE_NAMES.namespace, namespace)]),
    ...(name === undefined ? [] : [attributeIs(ATTRIBUTE_NAMES.name, name)]),
    ...(route === undefined ? [] : [`WorkflowId STARTS_WITH ${quoted(`notify/${route}/`)}`]),
    ...(undelivered ? [`ExecutionStatus != 'Completed'`] : []),
  ].join(' AND ');
}

function isChosen({ at }: NotificationMemo, { since, until }: NotificationFilter): boolean {
  const time = Date.parse(at);
  return (since === undefined || time >= since.getTime()) && (until === undefined || time <= until.getTime());
}

type Delivery = Pick<ListedNotification, 'state' | 'toldAt' | 'tries' | 'why'>;

/** Nothing, if another program has started a workflow of this type. */
function memoOf({ memo }: WorkflowExecutionInfo): NotificationMemo | undefined {
  const { route, to, says, at, within } = asFields(memo) as Partial<NotificationMemo>;
  if (route === undefined || to === undefined || says === undefined || at === undefined) return undefined;
  return { ...{ route, to, says, at }, ...(within === undefined ? {} : { within }) };
}

interface Listed {
  readonly info: WorkflowExecutionInfo;
  readonly memo: NotificationMemo;
}

async function notificationOf(
  ports: TemporalPort,
  { info, memo }: Listed,
  groups: Map<string, Promise<Delivery>>,
): Promise<ListedNotification> {
  const { within } = memo;
  const namespace = info.typedSearchAttributes.get(SEARCH_ATTRIBUTES.namespace);
  const name = info.typedSearchAttributes.get(SEARCH_ATTRIBUTES.name);
  const id = within ?? info.workflowId;
  const delivery = groups.get(id) ?? deliveryOf(ports, id, within === undefined ? info.runId : undefined);
  if (within !== undefined) groups.set(id, delivery);
  return {
    ...{ workflowId: info.workflowId, ...memo },
    ...(namespace && name ? { job: { namespace, name } } : {}),
    ...(await delivery),
  };
}

/** What became of a message. One that Temporal has deleted by now was delivered long ago, or given up. */
async function deliveryOf({ temporal }: TemporalPort, workflowId: string, runId?: string): Promise<Delivery> {
  const found = await findWorkflow(temporal, workflowId, runId);
  if (!found) return { state: 'told' };
  if (isOpen(found.status.name)) {
    const pending = found.raw.pendingActivities?.[0];
    const why = pending?.lastFailure?.message;
    return {
      state: 'trying',
      ...(pending?.attempt ? { tries: pending.attempt } : {}),
      ...(why ? { why } : {}),
    };
  }
  const end = await temporal.workflow
    .getHandle(workflowId, runId)
    .result()
    .then((result) => ({ result: result as NotificationResult }))
    .catch((error: unknown) => ({ error }));
  if ('error' in end) return { state: 'refused', why: innermost(end.error) };
  return { state: 'told', ...(end.result.at ? { toldAt: end.result.at } : {}) };
}

function innermost(error: unknown): string {
  let one = error;
  while (one instanceof Error && one.cause instanceof Error) one = one.cause;
  return one instanceof Error ? one.message : String(one);
}
