import { Counter, Gauge, Histogram } from 'prom-client';

/** The console's Prometheus metrics, in prom-client's default registry. */
export const consoleMetrics = {
  requests: new Counter({
    name: 'signalbox_console_requests_total',
    help: 'Requests by route and status; `other` is an address that is none.',
    labelNames: ['route', 'code'] as const,
  }),
  duration: new Histogram({
    name: 'signalbox_console_request_seconds',
    help: 'Time from a request to its answer, of a stream to its beginning, by route.',
    labelNames: ['route'] as const,
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  }),
  refused: new Counter({
    name: 'signalbox_console_refused_total',
    help: 'Requests that were refused, by reason.',
    labelNames: ['reason'] as const,
  }),
  streams: new Gauge({
    name: 'signalbox_console_streams',
    help: 'Open pages that follow what happens.',
  }),
  viewers: new Gauge({
    name: 'signalbox_console_viewers',
    help: 'People with such a page.',
  }),
  answers: new Histogram({
    name: 'signalbox_console_answer_seconds',
    help: 'Time of an answer of Temporal, the cluster, the archive or the provider of identities, by what was read, and whether it came or failed. What people look at together is read once.',
    labelNames: ['server', 'what', 'result'] as const,
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  }),
  reviews: new Counter({
    name: 'signalbox_console_reviews_total',
    help: 'Questions to the cluster who somebody is (token) or what somebody may do (access), by answer: yes, no or failed. Answers that are remembered are not counted.',
    labelNames: ['kind', 'answer'] as const,
  }),
};

/** What is read where. */
export interface Read {
  readonly server: 'temporal' | 'cluster' | 'archive' | 'provider';
  readonly what: string;
}

/** Measures how long an answer takes. `isAnswer`: whether an error is an answer, too, e.g. that there is no such job. */
export async function measured<T>(
  read: Read,
  ask: () => Promise<T>,
  isAnswer: (error: unknown) => boolean = () => false,
): Promise<T> {
  const end = consoleMetrics.answers.startTimer({ ...read });
  try {
    const answer = await ask();
    end({ result: 'came' });
    return answer;
  } catch (error) {
    end({ result: isAnswer(error) ? 'came' : 'failed' });
    throw error;
  }
}
