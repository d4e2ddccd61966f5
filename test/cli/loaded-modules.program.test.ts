import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeTemporal } from './fake-temporal.ts';
import { loadingOf } from './loaded-modules.ts';

let server: Awaited<ReturnType<typeof startFakeTemporal>>;
beforeAll(async () => {
  server = await startFakeTemporal();
});
afterAll(() => server.stop());

const run = (args: readonly string[]) => loadingOf(args, { env: { TEMPORAL_ADDRESS: server.address } });

const COMMAND_LINE = ['commander', 'picocolors'];
const TABLES = [
  'ansi-regex',
  'cli-table3',
  'emoji-regex',
  'is-fullwidth-code-point',
  'string-width',
  'strip-ansi',
];
const TEMPORAL = [
  '@grpc/grpc-js',
  '@js-sdsl/ordered-map',
  '@temporalio/client',
  '@temporalio/common',
  '@temporalio/proto',
  'long',
  'ms',
  'nexus-rpc',
  'protobufjs',
  'uuid',
];
const MANIFESTS = ['re2js', 'yaml', 'zod'];

/** Of evidence and sandbox, only where they are. */
const REQUESTS = [
  'cli',
  'client',
  'contracts',
  'evidence',
  'language',
  'package.json',
  'packages',
  'record',
  'runtime',
  'temporal',
];
const MANIFEST = 'examples/pytorch/ddp-node/job.yaml';

describe('a command loads only the packages that it uses', () => {
  test.each([
    { args: ['--help'], packages: [COMMAND_LINE] },
    { args: ['--version'], packages: [COMMAND_LINE] },
    { args: ['version'], packages: [COMMAND_LINE] },
    { args: ['list'], packages: [COMMAND_LINE, TEMPORAL, TABLES] },
    { args: ['list', '-o', 'json'], packages: [COMMAND_LINE, TEMPORAL] },
    { args: ['get', 'live', '-o', 'name'], packages: [COMMAND_LINE, TEMPORAL] },
    { args: ['history', 'live'], packages: [COMMAND_LINE, TEMPORAL, ['canonicalize']] },
    { args: ['validate', MANIFEST], packages: [COMMAND_LINE, MANIFESTS] },
    { args: ['submit', MANIFEST], packages: [COMMAND_LINE, TEMPORAL, MANIFESTS, ['canonicalize']] },
  ])('$args', async ({ args, packages }) => {
    const loading = await run(args);
    expect(loading).toMatchObject({ code: 0, packages: packages.flat().sort() });
  });
});

test.each([[['list']], [['history', 'live']]])('%j loads no code for manifests or clusters', async (args) => {
  const { ownFiles } = await run(args);
  expect([...new Set(ownFiles.map((path) => path.split('/')[0]))]).toEqual(REQUESTS);
});
