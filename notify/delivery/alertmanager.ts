import type { NotifiedChange } from '../../contracts/notifications.ts';
import type { ReceiverOf } from '../routes/receiver-schemas.ts';
import { type Channel, receiverUrl } from './channel.ts';
import type { Message } from './message.ts';
import { post } from './post.ts';

/** How long an alert is shown: what is told has happened, and nothing says that it is over. */
const SHOWN_MS = 3_600_000;

/** Alertmanager's API v2: an alert for each job, which it groups, silences and passes on. */
export const alertmanager: Channel<'alertmanager'> = {
  leastMs: 0,
  deliver: async (receiver, message, delivering) => {
    const base = await receiverUrl(receiver, delivering);
    const url = new URL('api/v2/alerts', base.endsWith('/') ? base : `${base}/`).href;
    const token = receiver.tokenFile ? await delivering.read(receiver.tokenFile) : undefined;
    const headers = {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const body = JSON.stringify(alertsOf(receiver, message, Date.now()));
    return String((await post({ url, headers, body }, delivering.reachable)).status);
  },
};

export function alertsOf(
  { labels }: Pick<ReceiverOf<'alertmanager'>, 'labels'>,
  message: Message,
  now: number,
) {
  return message.notices.map((notice) => ({
    labels: { ...labelsOf(notice), route: message.route, ...labels },
    annotations: {
      summary: message.notices.length === 1 ? message.title : titleOf(notice),
      description: notice.message,
      ...(notice.remedy ? { remedy: notice.remedy } : {}),
      since: notice.at,
    },
    startsAt: notice.at,
    endsAt: new Date(now + SHOWN_MS).toISOString(),
    ...sourceOf(message.linksOf(notice)),
  }));
}

/** Alertmanager shows one link as the source of an alert. */
const sourceOf = ([link]: ReturnType<Message['linksOf']>) => (link ? { generatorURL: link.url } : {});

/** Two alerts with the same labels are one: the attempt tells failures of a job apart. */
function labelsOf({ job, engine }: NotifiedChange): Record<string, string> {
  if (!job) return { alertname: `Signalbox${engine}`, severity: 'warning' };
  const { phase, reason = 'none', namespace, name, kind, attempt, node } = job;
  return {
    ...{ alertname: `SignalboxJob${phase}`, severity: phase === 'Failed' ? 'warning' : 'info' },
    ...{ job_namespace: namespace, job_name: name, kind, reason, attempt: String(attempt) },
    ...(node ? { node } : {}),
  };
}

const titleOf = ({ job, engine }: NotifiedChange): string =>
  job ? `${job.phase}: ${job.namespace}/${job.name}${job.reason ? ` (${job.reason})` : ''}` : String(engine);
