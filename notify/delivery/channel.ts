import type { ReceiverOf, ReceiverType } from '../routes/receiver-schemas.ts';
import type { Message } from './message.ts';
import type { ReachableAddresses } from './reachable.ts';

/** What a channel delivers with. */
export interface Delivering {
  readonly reachable: ReachableAddresses;
  /** Of the installation: who says so. */
  readonly installation: string;
  /** Reads a secret. */
  readonly read: (path: string) => Promise<string>;
}

/** How messages reach one type of receivers: a file each. */
export interface Channel<T extends ReceiverType> {
  /** Between two messages to one receiver. */
  readonly leastMs: number;
  /** Returns what the receiver answered, in a word. Throws `DeliveryError`. */
  deliver(receiver: ReceiverOf<T>, message: Message, delivering: Delivering): Promise<string>;
  /** Asks whether messages are welcome, without sending one. */
  ask?(receiver: ReceiverOf<T>, delivering: Delivering): Promise<string>;
}

/** Returns the URL of a receiver, which may be a secret. */
export async function receiverUrl(
  { url, urlFile }: { readonly url?: string | undefined; readonly urlFile?: string | undefined },
  { read }: Pick<Delivering, 'read'>,
): Promise<string> {
  const found = url ?? (await read(urlFile!));
  if (URL.canParse(found)) return found;
  throw new Error(`${urlFile}: expected a URL, got something else`);
}
