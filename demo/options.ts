import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** Leave sandbox and engine running. */
  readonly keep: boolean;
  /** The manifest to run, relative to the repository. */
  readonly manifest: string;
}

export const USAGE = `npm run demo [-- --keep] [-- --manifest FILE]

Runs a distributed training job on a real Temporal server and a real Kubernetes API server on this machine, kills the
engine during the run, and shows the outcome.

  --keep           leave sandbox and engine running at the end
  --manifest FILE  the manifest to run, e.g. examples/pytorch/ddp-torch/job.yaml
  --help           this text`;

const DEFAULT_MANIFEST = 'examples/pytorch/ddp-node/job.yaml';

/** Parses the options. Returns undefined for --help, throws an error with a readable message for unknown options. */
export function parseDemoOptions(args: readonly string[]): DemoOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      keep: { type: 'boolean', default: false },
      manifest: { type: 'string', default: DEFAULT_MANIFEST },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return values.help ? undefined : { keep: values.keep, manifest: values.manifest };
}
