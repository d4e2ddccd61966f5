import { z } from 'zod';
import { MAIL_ADDRESS } from '../../contracts/mail-address.ts';
import { isOneOf } from '../../language/one-of.ts';

/** The receivers of a file of routes: a row for each type. Secrets are paths of files. */

const file = z.string().min(1).describe('The path of a file.');
const A_URL = 'a URL that begins with https:// or http://';
const url = z.custom<string>((given) => isUrl(given, ['https:', 'http:']), { error: A_URL });
const A_MAIL_SERVER = 'smtps://HOST:PORT, or smtp://HOST:PORT, without a password';
const address = z.string().regex(MAIL_ADDRESS.regex, { error: MAIL_ADDRESS.error });
const OF_OWNERS = 'a mail address, or all that end so, e.g. *@example.com';

const FIELDS = [
  'name',
  'namespace',
  'kind',
  'phase',
  'reason',
  'attempt',
  'message',
  'submittedBy',
  'count',
] as const;
export type TextField = (typeof FIELDS)[number];
const A_TEXT = `a text whose braces have only ${FIELDS.map((name) => `{${name}}`).join(', ')}`;

const text = z
  .custom<string>(isText, { error: A_TEXT })
  .optional()
  .describe('The first line, instead of the usual one; `{name}` and others are filled in.');

/** An address that holds a secret is in a file. */
const where = {
  url: url.optional().describe('Where it is.'),
  urlFile: file.optional().describe('A file with the URL, if the URL is a secret.'),
};

const TYPES = {
  webhook: z.strictObject({
    type: z.literal('webhook'),
    ...where,
    secretFile: file
      .optional()
      .describe('A file with the key that signs (Standard Webhooks), one a line while keys change.'),
    handshake: z
      .literal(true)
      .optional()
      .describe('`notify test` asks for permission first, as CloudEvents have it.'),
  }),
  slack: z.strictObject({ type: z.literal('slack'), ...where, text }),
  teams: z.strictObject({ type: z.literal('teams'), ...where, text }),
  email: z.strictObject({
    type: z.literal('email'),
    server: z
      .custom<string>((given) => isUrl(given, ['smtps:', 'smtp:']) && !/\/\/[^/]*@/.test(String(given)), {
        error: A_MAIL_SERVER,
      })
      .describe('The mail server.'),
    userFile: file.optional().describe('A file with the user of the mail server.'),
    passwordFile: file.optional().describe('A file with the password.'),
    from: address.describe('The sender.'),
    to: z.array(address).min(1).optional().describe('The addressees.'),
    owners: z
      .array(z.string().regex(/^[^\s@<>,;]*@[^\s@<>,;*]+$/, { error: OF_OWNERS }))
      .min(1)
      .optional()
      .describe('Also to the owner whom the policy of a job names, if one of these allows it.'),
    text,
  }),
  alertmanager: z.strictObject({
    type: z.literal('alertmanager'),
    ...where,
    labels: z
      .record(z.string().regex(/^[a-zA-Z_]\w*$/, { error: 'the name of a label of Prometheus' }), z.string())
      .optional(),
    tokenFile: file.optional().describe('A file with a bearer token.'),
  }),
};

export const receiverSchema = z
  .discriminatedUnion('type', [TYPES.webhook, TYPES.slack, TYPES.teams, TYPES.email, TYPES.alertmanager], {
    error: `a receiver of type ${Object.keys(TYPES).join(', ')}`,
  })
  .superRefine((receiver, context) => {
    if (receiver.type === 'email') {
      if ((receiver.userFile === undefined) !== (receiver.passwordFile === undefined))
        context.addIssue({ code: 'custom', message: 'both or none of userFile, passwordFile' });
      if (!receiver.to && !receiver.owners)
        context.addIssue({ code: 'custom', message: 'one of to, owners' });
    } else if ((receiver.url === undefined) === (receiver.urlFile === undefined))
      context.addIssue({ code: 'custom', message: 'one of url, urlFile' });
  });

export type Receiver = z.infer<typeof receiverSchema>;
export type ReceiverType = Receiver['type'];
export type ReceiverOf<T extends ReceiverType> = Extract<Receiver, { readonly type: T }>;

/** The fields of each type, by which a misspelt one finds the name that was meant. */
export const receiverFields = (type: unknown): readonly string[] =>
  Object.keys(
    typeof type === 'string' && Object.hasOwn(TYPES, type) ? TYPES[type as ReceiverType].shape : {},
  );

function isUrl(given: unknown, protocols: readonly string[]): boolean {
  return typeof given === 'string' && URL.canParse(given) && protocols.includes(new URL(given).protocol);
}

function isText(given: unknown): boolean {
  if (typeof given !== 'string' || given.length === 0 || given.length > 500) return false;
  return [...given.matchAll(/\{([^}]*)\}/g)].every(([, name]) => isOneOf(FIELDS, name));
}
