import { createHmac } from 'node:crypto';
import type { NotifiedChange } from '../../contracts/notifications.ts';
import { type Channel, type Delivering, receiverUrl } from './channel.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Message } from './message.ts';
import { post } from './post.ts';
import { saidBy } from './said.ts';

/** Standard Webhooks allow 20 KB. */
const MOST_JOBS = 30;
const MOST_TEXT = 300;
/** In characters: the rest is for what is around it. */
const MOST_OF_GROUP = 18_000;

/** CloudEvents 1.0 in structured JSON, signed as Standard Webhooks have it. */
export const webhook: Channel<'webhook'> = {
  leastMs: 0,
  deliver: async (receiver, message, delivering) => {
    const url = await receiverUrl(receiver, delivering);
    const body = JSON.stringify(cloudEvent(message, delivering.installation));
    const secrets = receiver.secretFile ? await delivering.read(receiver.secretFile) : '';
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      ...signatureHeaders(message.id, body, { secrets, at: Math.floor(Date.now() / 1000) }),
    };
    return String((await post({ url, headers, body }, delivering.reachable)).status);
  },
  ask: async (receiver, delivering) => {
    if (!receiver.handshake) return 'not asked: the receiver has no `handshake`';
    return askPermission(await receiverUrl(receiver, delivering), delivering);
  },
};

/** The event of one job or condition has its type; a group has a type of its own. */
export function cloudEvent({ id, route, notices, title, links, linksOf }: Message, installation: string) {
  const [first] = notices;
  const isOne = notices.length === 1 && first !== undefined;
  const subject = isOne && first.job ? `${first.job.namespace}/${first.job.name}` : undefined;
  return {
    specversion: '1.0',
    id,
    source: `/installations/${installation}`,
    type: isOne ? typeOf(first) : 'dev.signalbox.jobs.grouped.v1',
    ...(subject ? { subject } : {}),
    time: first?.at,
    datacontenttype: 'application/json',
    data: isOne
      ? { route, title, ...dataOf(first), ...(links.length > 0 ? { links } : {}) }
      : { route, title, count: notices.length, first: firstOf(notices, linksOf) },
  };
}

/** Links go, if there is no room for them. */
function firstOf(notices: readonly NotifiedChange[], linksOf: Message['linksOf']) {
  const first = notices.slice(0, MOST_JOBS);
  const linked = first.map((notice) => {
    const links = linksOf(notice);
    return { ...shortly(notice), ...(links.length > 0 ? { links } : {}) };
  });
  return JSON.stringify(linked).length <= MOST_OF_GROUP ? linked : first.map(shortly);
}

const typeOf = ({ job, engine }: NotifiedChange): string =>
  job
    ? `dev.signalbox.job.${job.phase.toLowerCase()}.v1`
    : `dev.signalbox.engine.${String(engine).toLowerCase()}.v1`;

const dataOf = ({ key: _, ...notice }: NotifiedChange) => notice;

const shortly = ({ at, message, job }: NotifiedChange) => ({
  at,
  message: message.slice(0, MOST_TEXT),
  ...(job && {
    namespace: job.namespace,
    name: job.name,
    workflowId: job.workflowId,
    phase: job.phase,
    reason: job.reason,
    attempt: job.attempt,
  }),
});

/** The headers of Standard Webhooks. `secrets`: a key a line; each signs, so that receivers change keys one after the other. */
export function signatureHeaders(
  id: string,
  body: string,
  { secrets, at }: { readonly secrets: string; readonly at: number },
): Record<string, string> {
  const keys = secrets.split(/\s+/).filter(Boolean);
  const signatures = keys.map((key) => {
    const bytes = Buffer.from(key.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', bytes).update(`${id}.${at}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    ...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
  };
}

const ORIGIN = 'signalbox';

/** The handshake of CloudEvents' webhooks. */
async function askPermission(url: string, { reachable }: Delivering): Promise<string> {
  const headers = { 'webhook-request-origin': ORIGIN };
  const { headers: answer } = await post({ url, headers, body: '', method: 'OPTIONS' }, reachable);
  const allowed = String(answer['webhook-allowed-origin'] ?? '');
  if (allowed === '*' || allowed === ORIGIN) return `it allows ${allowed}`;
  throw new DeliveryError(
    `it does not allow ${ORIGIN}: expected WebHook-Allowed-Origin: ${ORIGIN} or *, got ${saidBy(allowed, []) || 'nothing'}`,
  );
}
