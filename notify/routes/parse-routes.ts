import { z } from 'zod';
import { describeValue, faultsOf } from '../../contracts/schemas/faults-of.ts';
import type { Fault } from '../../contracts/types.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { asFields, keysOf } from '../../language/fields.ts';
import { didYouMean } from '../../language/meant.ts';
import { isNetwork } from '../../language/networks.ts';
import { type Receiver, receiverFields, receiverSchema } from './receiver-schemas.ts';
import { isAboutEngine, type When, whenSchema } from './when.ts';

/** The file of routes: who is told what, and where. */
export interface NotificationRoutes {
  readonly receivers: Readonly<Record<string, Receiver>>;
  readonly routes: Readonly<Record<string, Route>>;
  /** Networks that are not public and may be reached, e.g. `10.0.0.0/8`. */
  readonly allow: readonly string[];
  /** Links of messages: a title, and a URL with `{namespace}`, `{name}`, `{workflowId}`. */
  readonly links: Readonly<Record<string, string>>;
}

export interface Route {
  readonly to: string;
  readonly when: When;
}

const A_NAME = 'a name: lower-case letters, digits and -, at most 40';
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/, { error: A_NAME });
const A_NETWORK = 'a network like 10.0.0.0/8 or fd00::/8, or one address';
const A_LINK =
  'an https:// or http:// address, in which {namespace}, {name}, {workflowId}, {runId} are filled in';

const routeSchema = z.strictObject({
  to: z.string().describe('The name of a receiver.'),
  when: whenSchema.describe('What it is about.'),
});

const documentSchema = z.strictObject({
  receivers: z.record(name, receiverSchema).describe('Who is told, by name.'),
  routes: z.record(name, routeSchema).describe('Who is told what, by name.'),
  allow: z
    .array(z.custom<string>((given) => typeof given === 'string' && isNetwork(given), { error: A_NETWORK }))
    .default([])
    .describe(
      'Networks of receivers that are not public. Without them only public addresses are reached, by https.',
    ),
  links: z
    .record(z.string().min(1).max(40), z.custom<string>(isLink, { error: A_LINK }))
    .default({})
    .describe('Links of messages, by title.'),
});

/** Reads a file of routes, parsed. Returns every fault, by path. */
export function parseRoutes(
  document: unknown,
): { readonly routes: NotificationRoutes } | { readonly faults: readonly Fault[] } {
  const { success, data, error } = documentSchema.safeParse(document);
  if (!success) return { faults: withNearFields(faultsOf(error, document), document) };
  const faults = keysOf(data.routes).flatMap((route) => [
    ...unknownReceiver(route, data),
    ...engineWithoutAddressee(route, data),
  ]);
  return faults.length > 0 ? { faults } : { routes: data };
}

function unknownReceiver(route: string, { routes, receivers }: NotificationRoutes): Fault[] {
  const { to } = routes[route]!;
  if (Object.hasOwn(receivers, to)) return [];
  const names = Object.keys(receivers);
  const meant = nearest(to, names);
  const expected = meant
    ? `a receiver (${didYouMean(meant)})`
    : `a receiver: ${names.join(', ') || 'there are none'}`;
  return [{ path: `routes.${route}.to`, expected, got: describeValue(to) }];
}

function engineWithoutAddressee(route: string, { routes, receivers }: NotificationRoutes): Fault[] {
  const { to, when } = routes[route]!;
  const receiver = Object.hasOwn(receivers, to) ? receivers[to] : undefined;
  if (!isAboutEngine(when) || receiver?.type !== 'email' || receiver.to) return [];
  const expected = 'a receiver that has `to`: nobody owns the engine';
  return [{ path: `routes.${route}.to`, expected, got: describeValue(to) }];
}

/** A field that was misspelt is not missed as well. */
function withNearFields(faults: readonly Fault[], document: unknown): Fault[] {
  const misspelt = faults.filter(({ expected }) => expected === 'a known field').map(({ path }) => path);
  return faults
    .filter(({ path }) => !misspelt.some((field) => field.startsWith(`${path}.`)))
    .map((fault) => withNearField(fault, document));
}

/** Names the field that was probably meant. */
function withNearField(fault: Fault, document: unknown): Fault {
  if (fault.path === '') return { ...fault, path: 'the file' };
  if (fault.expected !== 'a known field') return fault;
  const steps = fault.path.split('.');
  const known = fieldsAt(steps.slice(0, -1), asFields(document));
  const meant = nearest(steps.at(-1)!, known);
  return {
    ...fault,
    expected: meant ? `a known field (${didYouMean(meant)})` : `one of ${known.join(', ')}`,
  };
}

function fieldsAt(
  [section, name, field]: readonly string[],
  document: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (section === undefined) return keysOf(documentSchema.shape);
  if (section === 'receivers') return receiverFields(asFields(asFields(document.receivers)[name!]).type);
  return field === undefined ? keysOf(routeSchema.shape) : keysOf(whenSchema.shape);
}

function isLink(given: unknown): boolean {
  return (
    typeof given === 'string' && /^https?:\/\//.test(given) && URL.canParse(given.replaceAll(/[{}]/g, ''))
  );
}
