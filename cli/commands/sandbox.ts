import {
  DEFAULT_KUBERNETES_VERSION,
  ensureSandbox,
  type GangSchedulerName,
  gangSchedulerNames,
  type KubernetesVersion,
  kubernetesVersions,
  resetSandbox,
  type Sandbox,
  SandboxError,
  sandboxDir,
  sandboxLayout,
  sandboxStatus,
  stopSandbox,
} from '@signalbox/sandbox';
import { Command, InvalidArgumentError, Option } from 'commander';
import pc from 'picocolors';
import { createProgress, type TerminalProgress } from '../print/progress.ts';
import { EXIT_CODES, exitNow, exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';
import { interruptedUp } from './interrupted-up.ts';
import { exports, statusTable } from './sandbox-status.ts';

interface UpFlags {
  dir?: string;
  kubernetes?: KubernetesVersion;
  localNode?: boolean;
  durable?: boolean;
  simulatedNodes?: number;
  gpus?: number;
  gpusPerNode?: number;
  cpusPerNode?: number;
  /** False: no gang schedulers. */
  gang?: GangSchedulerName[] | false;
  permitWaitingTime?: number;
  kubernetesPort?: number;
  temporalPort?: number;
  temporalUiPort?: number;
}

/** `signalbox sandbox`: Temporal and Kubernetes on this machine. */
export function sandboxCommand(): Command {
  const command = new Command('sandbox').description(
    'a real Temporal server and Kubernetes control plane on this machine, without Docker or root',
  );
  command.addCommand(upCommand());
  command.addCommand(downCommand());
  command.addCommand(statusCommand());
  command.addCommand(resetCommand());
  return command;
}

function upCommand(): Command {
  return withExamples(withDir(new Command('up')), [
    'sandbox up',
    'sandbox up --gpus 4',
    'sandbox up --simulated-nodes 4 --gpus-per-node 8',
    'sandbox up --simulated-nodes 4 --gang volcano,coscheduling',
    'sandbox up --dir /tmp/next --kubernetes 1.37',
    'sandbox up --no-local-node --temporal-port 7233 --temporal-ui-port 8233',
  ])
    .description('start the sandbox, or find it running and add what is missing')
    .addOption(
      new Option(
        '--kubernetes <version>',
        `of the control plane (env SIGNALBOX_SANDBOX_KUBERNETES; default ${DEFAULT_KUBERNETES_VERSION})`,
      ).choices(kubernetesVersions),
    )
    .option('--local-node', 'run pods as processes of this machine (the default)')
    .option('--no-local-node', 'no such node')
    .option(
      '--gpus <n>',
      'nvidia.com/gpu that the local node pretends to have (default: the machine’s)',
      integer(0),
    )
    .option('--simulated-nodes <n>', 'number of nodes whose pods are simulated', integer(0))
    .option('--gpus-per-node <n>', 'nvidia.com/gpu of each simulated node', integer(0))
    .option('--cpus-per-node <n>', 'cpu of each simulated node (default: 64)', integer(1))
    .option(
      '--gang <names>',
      `gang schedulers beside Kubernetes' own: ${gangSchedulerNames.join(', ')} (its resources only)`,
      gangSchedulers,
    )
    .option('--no-gang', "none but Kubernetes' own (the default)")
    .option(
      '--permit-waiting-time <seconds>',
      'how long Coscheduling holds nodes for an incomplete gang (default: 10)',
      integer(1),
    )
    .option('--kubernetes-port <port>', 'instead of a free one', integer(1, 65_535))
    .option('--temporal-port <port>', 'instead of a free one', integer(1, 65_535))
    .option('--temporal-ui-port <port>', 'instead of a free one', integer(1, 65_535))
    .option('--durable', 'sync every write to disk (the default)')
    .option('--no-durable', 'faster, but a power cut may lose data: for throwaway sandboxes')
    .addHelpText(
      'after',
      '\nOptions that are not given keep their last values. Missing programs are fetched or built first, once.',
    )
    .action((flags: UpFlags, self: Command) => {
      process.once('SIGINT', () => {
        console.error(`\n${interruptedUp(sandboxStatus(flags.dir))}`);
        exitNow('interrupted');
      });
      return run((progress) => up(given(flags, self), progress));
    });
}

function downCommand(): Command {
  return withExamples(withDir(new Command('down')), ['sandbox down'])
    .description('stop the sandbox; its data stays for the next `up`')
    .action(({ dir }: { dir?: string }) =>
      run(async (progress) => {
        progress.step('stopping the sandbox');
        const stopped = await stopSandbox(dir);
        progress.end();
        console.log(
          stopped ? `stopped; ${dataOf(sandboxLayout(sandboxDir(dir)))}` : 'the sandbox was not running',
        );
      }),
    );
}

const dataOf = ({ dir, archive, evidence }: ReturnType<typeof sandboxLayout>): string =>
  [
    `the data stays in ${dir}`,
    `  archive of ended jobs   ${archive} (signalbox list --archived, signalbox audit)`,
    `  evidence                ${evidence}`,
  ].join('\n');

function resetCommand(): Command {
  return withExamples(withDir(new Command('reset')), ['sandbox reset'])
    .description('stop the sandbox and remove its data, logs and credentials (programs stay)')
    .action(({ dir }: { dir?: string }) =>
      run(async (progress) => {
        progress.step('removing the sandbox');
        await resetSandbox(dir);
        progress.end();
        console.log(`removed the data of ${sandboxDir(dir)}`);
      }),
    );
}

function statusCommand(): Command {
  return withExamples(withDir(new Command('status')), [
    'sandbox status',
    'sandbox status -o json',
    'sandbox status > /dev/null || signalbox sandbox up',
  ])
    .description('what runs, where it listens, and how to point other tools at it')
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `\nExit code: 0 running, ${EXIT_CODES.notFound.code} not running, 1 if a component has failed.`,
    )
    .action(({ dir, output }: { dir?: string; output: string }) => run(() => status(dir, output)));
}

async function up(flags: UpFlags, progress: TerminalProgress): Promise<void> {
  const since = Date.now();
  const sandbox = await ensureSandbox({
    ...flags,
    gang: flags.gang === false ? [] : flags.gang,
    permitWaitingTimeSeconds: flags.permitWaitingTime,
    ports: {
      kubernetes: flags.kubernetesPort,
      temporal: flags.temporalPort,
      temporalUi: flags.temporalUiPort,
    },
    report: progress,
  });
  progress.step('defining the kinds of jobs');
  const { defineKinds } = await import('./sandbox-definitions.ts');
  await defineKinds(sandbox.kubeconfig);
  progress.end();
  printUp(sandbox, ((Date.now() - since) / 1000).toFixed(1));
}

function printUp(sandbox: Sandbox, seconds: string): void {
  const how = sandbox.started ? `is up (${seconds} s)` : 'was already running';
  console.log(`${pc.green('●')} the sandbox ${how}\n\n${exports(sandbox)}`);
  for (const sentence of sandbox.pending) console.error(`${pc.yellow('!')} ${sentence}`);
}

async function status(dir: string | undefined, output: string): Promise<void> {
  const found = sandboxStatus(dir);
  if (!found.running) exitWith('notFound');
  else if (found.state.components.some(({ state }) => state === 'failed')) exitWith('unexpected');
  if (output === 'json')
    console.log(
      JSON.stringify(found.running ? { running: true, ...found.state } : { running: false }, null, 2),
    );
  else if (found.running) console.log(`${statusTable(found.state)}\n\n${exports(found.state)}`);
  else console.log('the sandbox is not running; `signalbox sandbox up` starts it');
}

/** Shows progress on stderr and results on stdout. An error prints a message and a remedy, not a stack. */
async function run(work: (progress: TerminalProgress) => Promise<void>): Promise<void> {
  const progress = createProgress(process.stderr);
  try {
    await work(progress);
  } catch (error) {
    progress.end();
    if (!(error instanceof SandboxError)) throw error;
    console.error(`${pc.red('✗')} ${error.message}\n  ${pc.bold('remedy:')} ${error.remedy}`);
    exitWith('unexpected');
  } finally {
    progress.end();
  }
}

/** Commander sets `--no-x` flags to true by default; only flags that were typed may override the remembered ones. */
function given(flags: UpFlags, self: Command): UpFlags {
  const typed = Object.entries(flags).filter(([name]) => self.getOptionValueSource(name) === 'cli');
  return Object.fromEntries(typed);
}

function withDir(command: Command): Command {
  return command.option(
    '--dir <path>',
    'folder of this sandbox (env SIGNALBOX_SANDBOX_DIR; default .signalbox/sandbox)',
  );
}

function gangSchedulers(text: string): GangSchedulerName[] {
  return text.split(',').map((given) => {
    const name = gangSchedulerNames.find((each) => each === given.trim());
    if (name !== undefined) return name;
    throw new InvalidArgumentError(
      `expected some of ${gangSchedulerNames.join(',')}, got ${given || 'nothing'}`,
    );
  });
}

function integer(lowest: number, highest = 10_000): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`expected an integer from ${lowest} to ${highest}, got ${text}`);
  };
}
