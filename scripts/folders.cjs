const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Which folder may import which: one direction of flow. */
const MAY_IMPORT = {
  // Plain JavaScript, as set-up runs it before anything is installed.
  runtime: [],
  language: [],
  contracts: [],
  frameworks: ['contracts'],
  machines: ['contracts'],
  explain: ['contracts'],
  // What training programs print: pure, and asked by whoever reads a log.
  progress: [],
  // What of a gang fits: the pure decisions of the watcher.
  queue: ['contracts', 'explain'],
  gang: ['contracts', 'frameworks', 'explain'],
  resources: ['contracts', 'frameworks', 'gang'],
  cluster: ['contracts', 'runtime'],
  temporal: ['contracts'],
  evidence: ['contracts'],
  record: ['contracts', 'temporal', 'evidence'],
  activities: [
    'contracts',
    'frameworks',
    'machines',
    'explain',
    'progress',
    'gang',
    'resources',
    'cluster',
    'temporal',
    'evidence',
    'record',
  ],
  // Of activities only the types; see below.
  workflows: ['contracts', 'machines', 'activities'],
  // worker/replay plans a job with another policy, as admission does.
  worker: [
    'contracts',
    'frameworks',
    'machines',
    'activities',
    'cluster',
    'temporal',
    'evidence',
    'record',
    'rpc',
    'runtime',
  ],
  leader: ['contracts', 'cluster', 'temporal'],
  watcher: ['contracts', 'progress', 'explain', 'queue', 'gang', 'cluster', 'temporal', 'leader'],
  client: [
    ...[
      'contracts',
      'progress',
      'explain',
      'queue',
      'cluster',
      'temporal',
      'frameworks',
      'gang',
      'resources',
      'evidence',
      'record',
    ],
  ],
  // Summaries and pollers are the client's; how a process runs the SDK is the worker's.
  notify: ['contracts', 'temporal', 'client', 'worker'],
  // The use cases of the client and the sections of the report, as pages.
  console: ['contracts', 'explain', 'client', 'cluster', 'record'],
  bridge: ['contracts', 'cluster', 'temporal', 'leader', 'frameworks', 'client'],
  pipelines: ['contracts', 'temporal', 'client'],
  // Use cases of the client as activities of the worker: for programs in other languages, and for parameter sweeps.
  rpc: ['contracts', 'frameworks', 'cluster', 'temporal', 'evidence', 'record', 'client', 'activities'],
  cli: [
    'contracts',
    'explain',
    'client',
    'packages/sandbox',
    'worker',
    'watcher',
    'bridge',
    'notify',
    'console',
    'temporal',
    'cluster',
    'evidence',
    'record',
    'runtime',
  ],
  'packages/sandbox': ['contracts', 'cluster', 'runtime'],
};

/** These may import all others, and none of those may import them. */
const FREE = ['demo', 'deploy', 'examples', 'packages', 'scripts', 'test'];

/**
 * The order of the sub-folders: each may import those before it. `.` are the files of the folder itself that are not named;
 * where it is not listed, they may import all sub-folders.
 */
const INNER_ORDER = {
  contracts: ['.', 'secrets', 'differences', 'schemas'],
  queue: ['.', 'lanes'],
  explain: ['.', 'rules', 'explain.ts'],
  worker: ['.', 'replay', 'worker.ts'],
  pipelines: ['activity', 'workflow', '.'],
  frameworks: ['model', 'fields', 'dialects', 'policy', 'kinds', 'manifest', 'changes', 'schemas'],
  'frameworks/kinds': [
    '.',
    'mpi',
    'paddle-operator',
    'volcano-job',
    'train-job',
    'scheduled-kinds.ts',
    'registry.ts',
  ],
  'frameworks/kinds/volcano-job': ['plugins', '.'],
  'frameworks/kinds/train-job': ['spec', 'policies', '.'],
  machines: [
    'model',
    'nodes',
    'failures',
    'spares',
    'restart',
    'gang',
    'timeouts',
    'stopping',
    'assess',
    'attempt',
    'gate',
    'chart',
    'report',
  ],
  'machines/chart': ['.', 'states', 'job-machine.ts', 'position.ts', 'deadlines.ts'],
  watcher: [
    'metrics.ts',
    'pods',
    'progress',
    'anchors',
    'groups',
    'nodes',
    'jobs',
    'census',
    'digest',
    'store',
    'lanes',
    'questions',
    'gated',
    'informers',
  ],
  notify: ['routes', 'news', 'delivery', '.'],
  console: [
    'settings.ts',
    'settings-error.ts',
    'metrics.ts',
    'http',
    'identity',
    'browser',
    'reading',
    'live',
    'pages',
    'routes',
    '.',
  ],
  activities: ['support', 'evidence', 'deletion', 'objects', 'anchors', 'archive'],
  record: [
    'ledger',
    'facts',
    'uses',
    'archive',
    'log',
    'index',
    'verify',
    'deletion',
    'compare',
    'audit',
    'attest',
    'report',
  ],
  'record/report': ['report-data.ts', 'page', 'facts', 'charts', 'sections', 'period', '.'],
  client: ['errors', 'manifests', 'servers', 'use-cases', 'handles'],
  'client/manifests': ['.', 'builders', 'offline'],
  'client/use-cases': [
    'find',
    'observe',
    'intervene',
    'pods',
    'why',
    'lanes',
    'submit',
    'rerun',
    'parameter-sweep',
    'apply',
    'schedules',
    'archive',
    'compare',
    'cost',
    'report',
    'notifications',
  ],
  cli: [
    'shell',
    'print',
    'settings',
    'contexts',
    'session',
    'input',
    'jobs',
    'validate',
    'archived',
    'audit',
    'cost',
    'archive',
    'attest',
    'compare',
    'replay',
    'report',
    'schedules',
    'sweeps',
    'notify',
    'top',
    'doctor',
    'processes',
    'completion',
    'commands',
  ],
};

/** Those with code that have no place above: no rule would hold for their imports. */
function unknownFolders(root) {
  const foldersIn = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(\..*|node_modules|dist.*|coverage)$/.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => hasCode(join(root, folder, name)));
  const unknownIn = (folder) =>
    foldersIn(folder).flatMap((name) => {
      const isKnown = INNER_ORDER[folder]?.includes(name);
      return [...(isKnown ? [] : [`${folder}/${name}`]), ...unknownIn(`${folder}/${name}`)];
    });
  return foldersIn('.')
    .filter((name) => !FREE.includes(name))
    .flatMap((name) => (name in MAY_IMPORT ? unknownIn(name) : [name]));
}

const hasCode = (folder) => readdirSync(folder, { recursive: true }).some((file) => /\.(ts|mjs)$/.test(file));

module.exports = { FREE, INNER_ORDER, MAY_IMPORT, unknownFolders };
