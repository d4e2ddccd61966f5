import { readFile } from 'node:fs/promises';
import type { NotifiedChange } from '../../contracts/notifications.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { NotificationRoutes } from '../routes/parse-routes.ts';
import type { Receiver, ReceiverType } from '../routes/receiver-schemas.ts';
import { alertmanager } from './alertmanager.ts';
import type { Channel } from './channel.ts';
import { DeliveryError } from './delivery-error.ts';
import { email } from './email.ts';
import { messageOf } from './message.ts';
import { ReachableAddresses } from './reachable.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { webhook } from './webhook.ts';

/** A channel for each type of receivers. */
const CHANNELS: { readonly [T in ReceiverType]: Channel<T> } = { webhook, slack, teams, email, alertmanager };

const channelOf = ({ type }: Receiver): Channel<ReceiverType> => CHANNELS[type] as Channel<ReceiverType>;

export const pauseOf = (receiver: Receiver): number => channelOf(receiver).leastMs;

interface Delivered {
  readonly id: string;
  readonly route: string;
  readonly to: string;
  readonly notices: readonly NotifiedChange[];
}

/** Delivers notices by one message. Returns what the receiver answered. Throws `DeliveryError`. */
export async function deliverTo(
  { receivers, allow, links }: NotificationRoutes,
  { id, route, to, notices }: Delivered,
  installation: string,
): Promise<string> {
  const receiver = Object.hasOwn(receivers, to) ? receivers[to] : undefined;
  if (!receiver)
    throw new DeliveryError(`the file of routes has no receiver ${to} any more`, { isFinal: true });
  const text = 'text' in receiver ? receiver.text : undefined;
  const message = messageOf(notices, { id, route, links, ...(text === undefined ? {} : { text }) });
  return channelOf(receiver).deliver(receiver, message, deliveringFor(allow, installation));
}

/** Asks a receiver whether messages are welcome; undefined if it cannot be asked. */
export function askReceiver(receiver: Receiver, allow: readonly string[]): Promise<string> | undefined {
  return channelOf(receiver).ask?.(receiver, deliveringFor(allow, ''));
}

const deliveringFor = (allow: readonly string[], installation: string) => ({
  reachable: new ReachableAddresses(allow),
  installation,
  read: readSecret,
});

/** Secrets are read when they are used: Kubernetes replaces the files of a Secret that has changed. */
async function readSecret(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    throw new DeliveryError(`the secret cannot be read: ${errorMessage(cause)}`, { cause });
  }
}
