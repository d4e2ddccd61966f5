import { join } from 'node:path';
import {
  type BuildOptions,
  build,
  type Metafile,
  type OnResolveArgs,
  type OnResolveResult,
  type Plugin,
} from 'esbuild';
import { ROOT } from './entries.ts';
import { temporalMessages } from './temporal-messages.ts';
import { withoutUnusedMessages } from './without-messages.ts';

/** The files of Temporal's client, which a command loads when it connects. */
const FILES = {
  /** The client, and gRPC. */
  client: 'package-temporal.cjs',
  /** Temporal's messages as classes. */
  messages: 'package-temporal-messages.cjs',
  /** The same with their types, from JSON: for histories as JSON, and for payloads in an external storage. */
  reflection: 'package-temporal-reflection.cjs',
} as const;

/** The part of the client that needs types. */
const HISTORIES = '@temporalio/common/lib/proto-utils.js';

/** What one of the files requires of another is loaded then. */
const loadsOurs = ({ path }: OnResolveArgs): OnResolveResult | undefined =>
  Object.values(FILES).some((file) => path === `./${file}`) ? { path, external: true } : undefined;

/** Leaves Temporal's client out of a bundle, which loads it from its files. Adds to `used` what is imported of it. */
export const temporalClientApart = (used: Set<string>): Plugin => ({
  name: 'temporal-client-apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@(grpc|temporalio)\// }, ({ path }) => {
      if (path !== HISTORIES) used.add(path);
      return { path, namespace: 'temporal-client' };
    });
    onLoad({ filter: /^/, namespace: 'temporal-client' }, ({ path }) => {
      const file = path === HISTORIES ? FILES.reflection : FILES.client;
      return { contents: `module.exports = require('./${file}')['${path}'];` };
    });
    onResolve({ filter: /^\.\// }, loadsOurs);
  },
});

/** Makes the files, with what is used of the client. Returns what they are made of. */
export async function buildTemporalClient(
  used: ReadonlySet<string>,
  { outdir, ...options }: BuildOptions,
): Promise<readonly Metafile[]> {
  const make = (file: keyof typeof FILES, contents: string, special: BuildOptions) =>
    build({
      ...options,
      outfile: join(outdir!, FILES[file]),
      stdin: { contents, resolveDir: ROOT, sourcefile: file },
      ...special,
    });
  const made = await Promise.all([
    make('client', exporting([...used]), { plugins: [withoutReflection], external: [OF_GRPC_SERVERS] }),
    make('messages', await temporalMessages(), { minify: true, sourcemap: false }),
    make('reflection', REFLECTION, { plugins: [withoutUnusedMessages] }),
  ]);
  return made.map(({ metafile }) => metafile!);
}

/** gRPC loads it for services that only a server has. */
const OF_GRPC_SERVERS = '@grpc/proto-loader';

/** A module that loads what is asked of it. */
const exporting = (specifiers: readonly string[]): string =>
  specifiers
    .toSorted()
    .map((path) => `Object.defineProperty(exports, '${path}', { get: () => require('${path}') });`)
    .join('\n');

/**
 * The client uses the classes. It makes a converter for payloads in an external storage at each start, which would load
 * the types: this one loads them with the first of these payloads.
 */
const withoutReflection: Plugin = {
  name: 'without-reflection',
  setup({ onResolve, onLoad, onEnd }) {
    onResolve({ filter: /^@temporalio\/proto$/ }, () => ({ path: `./${FILES.messages}`, external: true }));
    onResolve({ filter: /\/protobuf-payload-converters$/ }, ({ path }) => ({ path, namespace: 'converter' }));
    onLoad({ filter: /^/, namespace: 'converter' }, () => ({ contents: CONVERTER }));
    onResolve({ filter: /^\.\// }, loadsOurs);
    onEnd(({ metafile }) => {
      const isLoaded = Object.keys(metafile?.inputs ?? {}).some((path) => path.includes('/protobufjs/src/'));
      return isLoaded ? { errors: [{ text: 'Temporal’s client loads protobufjs’s reflection again' }] } : {};
    });
  },
};

const CONVERTER = `
  exports.ProtobufJsonPayloadConverter = class {
    toPayload(message) {
      const { converter, Reference } = require('./${FILES.reflection}');
      return converter.toPayload(Reference.create(message));
    }
    fromPayload(payload) {
      return require('./${FILES.reflection}').converter.fromPayload(payload);
    }
  };`;

const REFLECTION = `
  const proto = require('@temporalio/proto');
  const { ProtobufJsonPayloadConverter } = require('@temporalio/common/lib/converter/protobuf-payload-converters.js');
  exports.converter = new ProtobufJsonPayloadConverter(proto);
  exports.Reference = proto.temporal.api.sdk.v1.ExternalStorageReference;
  exports['${HISTORIES}'] = require('${HISTORIES}');`;
