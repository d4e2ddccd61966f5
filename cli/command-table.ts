import { Command } from 'commander';
import { amendCommand } from './commands/amend.ts';
import { applyCommand } from './commands/apply.ts';
import { archiveCommand } from './commands/archive.ts';
import { attestCommand } from './commands/attest.ts';
import { auditCommand } from './commands/audit.ts';
import { bridgeCommand } from './commands/bridge.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { consoleCommand } from './commands/console.ts';
import { contextCommand } from './commands/context.ts';
import { costCommand } from './commands/cost.ts';
import { crdsCommand } from './commands/crds.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { evidenceCommand } from './commands/evidence.ts';
import { extendDeadlineCommand } from './commands/extend-deadline.ts';
import { getCommand } from './commands/get.ts';
import { historyCommand } from './commands/history.ts';
import { holdCommand } from './commands/hold.ts';
import { listCommand } from './commands/list.ts';
import { logsCommand } from './commands/logs.ts';
import { notifierCommand } from './commands/notifier.ts';
import { notifyCommand } from './commands/notify.ts';
import { queueCommand } from './commands/queue.ts';
import { releaseCommand } from './commands/release.ts';
import { renderCommand } from './commands/render.ts';
import { replayCommand } from './commands/replay.ts';
import { reportCommand } from './commands/report.ts';
import { rerunCommand } from './commands/rerun.ts';
import { resumeCommand } from './commands/resume.ts';
import { retryNowCommand } from './commands/retry-now.ts';
import { scaleCommand } from './commands/scale.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { schemaCommand } from './commands/schema.ts';
import { stopCommand } from './commands/stop.ts';
import { submitCommand } from './commands/submit.ts';
import { suspendCommand } from './commands/suspend.ts';
import { sweepCommand } from './commands/sweep.ts';
import { topCommand } from './commands/top.ts';
import { upCommand } from './commands/up.ts';
import { validateCommand } from './commands/validate.ts';
import { versionCommand } from './commands/version.ts';
import { watcherCommand } from './commands/watcher.ts';
import { whyCommand } from './commands/why.ts';
import { workerCommand } from './commands/worker.ts';
import { ifInstalled, sandboxNotInstalled } from './shell/sandbox-package.ts';

type CreateCommand = (argv: readonly string[]) => Command | Promise<Command>;

/**
 * By name, in the groups of the help and in its order. Each command loads its libraries when it runs, so that the help
 * appears at once.
 */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, CreateCommand>>>> = {
  'Start jobs:': {
    submit: submitCommand,
    apply: applyCommand,
    sweep: sweepCommand,
    rerun: rerunCommand,
    schedule: scheduleCommand,
    validate: validateCommand,
    render: renderCommand,
    schema: schemaCommand,
  },
  'Look at jobs:': {
    get: getCommand,
    list: listCommand,
    top: topCommand,
    why: whyCommand,
    logs: logsCommand,
    history: historyCommand,
    evidence: evidenceCommand,
    diff: diffCommand,
    report: reportCommand,
    cost: costCommand,
  },
  'Change jobs:': {
    suspend: suspendCommand,
    resume: resumeCommand,
    scale: scaleCommand,
    amend: amendCommand,
    'extend-deadline': extendDeadlineCommand,
    'retry-now': retryNowCommand,
    hold: holdCommand,
    release: releaseCommand,
    stop: stopCommand,
  },
  'Queues:': { queue: queueCommand },
  'Notifications:': { notify: notifyCommand },
  'The record:': {
    archive: archiveCommand,
    audit: auditCommand,
    attest: attestCommand,
    replay: replayCommand,
  },
  'Run signalbox:': {
    up: upCommand,
    worker: workerCommand,
    watcher: watcherCommand,
    bridge: bridgeCommand,
    notifier: notifierCommand,
    console: consoleCommand,
    crds: crdsCommand,
    sandbox,
    doctor: doctorCommand,
    config: configCommand,
    context: contextCommand,
    completion: completionCommand,
    version: versionCommand,
  },
};

/** The sandbox modules load slowly, so loads them only if the command line mentions them. */
async function sandbox(argv: readonly string[]): Promise<Command> {
  const command = new Command('sandbox').description(
    'run Temporal and Kubernetes on this machine, without Docker',
  );
  if (!argv.some((word) => ['sandbox', 'completion'].includes(word))) return command;
  const loaded = await ifInstalled(() => import('./commands/sandbox.ts'));
  return loaded ? loaded.sandboxCommand() : failing(command);
}

const failing = (command: Command): Command =>
  command
    .argument('[arguments...]')
    .allowUnknownOption()
    .action(() => {
      throw sandboxNotInstalled();
    });
