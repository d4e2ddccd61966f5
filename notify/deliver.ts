import { ApplicationFailure, Context } from '@temporalio/activity';
import { JOB_PAGE } from '../contracts/console-address.ts';
import type { NotificationRequest, NotificationResult } from '../contracts/notifications.ts';
import { errorMessage } from '../language/error-message.ts';
import { deliverTo, pauseOf } from './delivery/channels.ts';
import { DeliveryError } from './delivery/delivery-error.ts';
import { notifierMetrics } from './metrics.ts';
import type { NotifierHost } from './news-session.ts';
import type { NotificationRoutes } from './routes/parse-routes.ts';
import { AwaitsTurn, type Turns } from './turns.ts';

/**
 * Delivers one message. Not idempotent: a receiver that has taken it, and whose answer was lost, gets it again with the same
 * id.
 */
export async function deliver(
  { kept, installation, consoleUrl }: Pick<NotifierHost, 'kept' | 'installation' | 'consoleUrl'>,
  turns: Turns,
  request: NotificationRequest,
): Promise<Omit<NotificationResult, 'told'>> {
  const { workflowExecution } = Context.current().info;
  const { to } = request;
  try {
    if (!kept.routes) await kept.refresh();
    if (!kept.routes) throw new DeliveryError(`the routes have faults: ${kept.faults[0]}`);
    const routes = withConsole(kept.routes, consoleUrl);
    const receiver = Object.hasOwn(routes.receivers, to) ? routes.receivers[to] : undefined;
    const id = workflowExecution?.workflowId ?? request.route;
    const turn = { leastMs: receiver ? pauseOf(receiver) : 0, now: performance.now() };
    // A message that must wait does so without a slot of the process.
    const answer = await turns.take(to, turn, () => deliverTo(routes, { ...request, id }, installation));
    notifierMetrics.deliveries.inc({ receiver: to, result: 'delivered' });
    return { at: new Date().toISOString(), answer };
  } catch (error) {
    throw failureOf(error, to);
  }
}

/** The file may have a link of its own to it. */
const withConsole = (routes: NotificationRoutes, consoleUrl: string | undefined): NotificationRoutes =>
  consoleUrl === undefined
    ? routes
    : { ...routes, links: { Console: consoleUrl + JOB_PAGE, ...routes.links } };

function failureOf(error: unknown, receiver: string): ApplicationFailure {
  const { isFinal = false, retryAfterMs } = error instanceof DeliveryError ? error : {};
  if (!(error instanceof AwaitsTurn))
    notifierMetrics.deliveries.inc({ receiver, result: isFinal ? 'refused' : 'failed' });
  return ApplicationFailure.create({
    message: errorMessage(error),
    type: 'NotDelivered',
    nonRetryable: isFinal,
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: Math.ceil(retryAfterMs) }),
  });
}
