import { createHash } from 'node:crypto';
import { errorMessage } from '../../language/error-message.ts';
import { ownerFor } from '../routes/owners.ts';
import type { ReceiverOf } from '../routes/receiver-schemas.ts';
import type { Channel, Delivering } from './channel.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Message } from './message.ts';
import { saidBy } from './said.ts';

const ANSWER_MS = 20_000;
const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

export const email: Channel<'email'> = {
  leastMs: 0,
  deliver: async (receiver, message, delivering) => {
    const to = addresseesOf(receiver, message);
    const { createTransport } = await import('nodemailer');
    const connection = await connectionOf(receiver, delivering);
    const transport = createTransport(connection);
    // A server may repeat what it was sent, the login in base64.
    const { user = '', pass = '' } = connection.auth ?? {};
    const secrets = [pass, user, `\0${user}\0${pass}`].flatMap((one) => [
      one,
      Buffer.from(one).toString('base64'),
    ]);
    try {
      const { response } = await transport.sendMail(mailOf(receiver.from, to, message));
      return saidBy(response, secrets);
    } catch (error) {
      throw deliveryError(error, receiver.server, secrets);
    } finally {
      transport.close();
    }
  },
};

/** All jobs of a message have the same owner. The file may allow others by now. */
function addresseesOf(receiver: ReceiverOf<'email'>, { notices }: Message): readonly string[] {
  const owner = notices[0] && ownerFor(receiver, notices[0]);
  const all = [...new Set([...(receiver.to ?? []), ...(owner === undefined ? [] : [owner])])];
  if (all.length > 0) return all;
  throw new DeliveryError('the receiver has no `to`, and its `owners` allow no owner of these jobs', {
    isFinal: true,
  });
}

/** It connects to the address that was checked, and expects the name in the certificate. */
async function connectionOf(
  { server, userFile, passwordFile }: ReceiverOf<'email'>,
  { reachable, read }: Delivering,
) {
  const { protocol, hostname, port } = new URL(server);
  const places = await reachable.find(hostname).catch((cause: unknown) => {
    throw new DeliveryError(`cannot reach ${hostname}: ${errorMessage(cause)}`, { cause });
  });
  const isInternal = places.every(({ isAllowed }) => isAllowed);
  const auth =
    userFile && passwordFile ? { user: await read(userFile), pass: await read(passwordFile) } : undefined;
  return {
    host: places[0]!.address,
    port: port ? Number(port) : PORTS[protocol as keyof typeof PORTS],
    secure: protocol === 'smtps:',
    // Nothing goes to a public server, and no password to any, in plain text.
    requireTLS: protocol !== 'smtps:' && (!isInternal || auth !== undefined),
    tls: { servername: hostname.replaceAll(/^\[|\]$/g, '') },
    ...{ connectionTimeout: ANSWER_MS, greetingTimeout: ANSWER_MS, socketTimeout: ANSWER_MS },
    ...(auth ? { auth } : {}),
  };
}

/** The same id each time: mail servers and programs show a repetition once. */
function mailOf(from: string, to: readonly string[], { id, title, lines, links }: Message) {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const linked = links.map(({ title: label, url }) => `${label}: ${url}`);
  return {
    ...{ from, to: [...to], subject: title },
    text: [...lines, '', ...linked].join('\n\n').trim(),
    messageId: `<${createHash('sha256').update(id).digest('hex').slice(0, 32)}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

/** 5xx of the message itself is final; of the login it is mended by people. */
function deliveryError(error: unknown, server: string, secrets: readonly string[]): DeliveryError {
  const { responseCode, command } = error as { readonly responseCode?: number; readonly command?: string };
  const isAboutMessage = /^(DATA|MAIL FROM|RCPT TO)/.test(command ?? '');
  return new DeliveryError(
    `${new URL(server).host} did not take the mail: ${saidBy(errorMessage(error), secrets)}`,
    {
      isFinal: isAboutMessage && responseCode !== undefined && responseCode >= 550 && responseCode < 560,
      cause: error,
    },
  );
}
