import type { Places } from './places.ts';

/** Where the one version of all that is published stands. */
export const VERSION_PLACES: Places = {
  'package.json': [/^ {2}"version": "(.+)"/gm, /"@signalbox\/sandbox": "(.+)"/g],
  'packages/sandbox/package.json': [/^ {2}"version": "(.+)"/gm],
  // Of signalbox itself and of the sandbox, not of the other packages.
  'package-lock.json': [
    /^ {2}"version": "(.+)"/gm,
    /"(?:|packages\/sandbox)": \{\n(?: {6}"name": ".*",\n)? {6}"version": "(.+)"/g,
    /"@signalbox\/sandbox": "(\d.*)"/g,
  ],
  'python/pyproject.toml': [/^version = "(.+)"/gm],
  'charts/signalbox/Chart.yaml': [/^version: (.+)$/gm, /^appVersion: (.+)$/gm],
  'deploy/kubernetes/cluster/kustomization.yaml': [
    /app\.kubernetes\.io\/version: (.+)$/gm,
    /newTag: (.+)$/gm,
  ],
  'deploy/kubernetes/mpi/kustomization.yaml': [/app\.kubernetes\.io\/version: (.+)$/gm],
  'deploy/kubernetes/questions/kustomization.yaml': [/app\.kubernetes\.io\/version: (.+)$/gm],
  'deploy/kubernetes/bridge/kustomization.yaml': [/app\.kubernetes\.io\/version: (.+)$/gm, /newTag: (.+)$/gm],
  'deploy/kubernetes/teams/rights/kustomization.yaml': [/app\.kubernetes\.io\/version: (.+)$/gm],
  'deploy/kubernetes/people/kustomization.yaml': [/app\.kubernetes\.io\/version: (.+)$/gm],
  'docs/releasing.md': [/^version=(.+)$/gm, /signalbox-client-(\d+\.\d+\.\d+)/g],
  ...Object.fromEntries(
    [
      '.env.example',
      'docker-compose.yml',
      'docs/client.md',
      'docs/deployment.md',
      'docs/install.md',
      'docs/pipelines.md',
    ].map(
      // Images and archives of packages.
      (file) => [file, [/\bsignalbox(?:-client)?[-:](\d+\.\d+\.\d+)/g]],
    ),
  ),
};
