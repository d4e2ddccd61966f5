import { Command } from 'commander';
import { reportError } from '../print/report-error.ts';
import { settingsOf } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import type { Settings } from '../settings/settings.ts';
import { exitNow } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';
import type { HostedProcess } from './run-processes.ts';

/** Creates a command that runs parts of signalbox until it is stopped. */
export const hostCommand = (
  name: string,
  description: string,
  parts: (settings: Settings) => Promise<readonly HostedProcess[]>,
): Command =>
  withExamples(settingOptions(new Command(name), ['namespaces', 'httpHost', 'httpPort']), [
    name,
    `${name} --namespaces team-a,team-b`,
    `${name} --http-port 0 --log-level debug`,
  ])
    .description(description)
    .action(async (_flags: unknown, command: Command) => {
      const settings = await settingsOf(command);
      const [{ runProcesses }, { createLog }, { unknownVariables }, loaded] = await Promise.all([
        import('./run-processes.ts'),
        import('./log.ts'),
        import('../settings/unknown-variables.ts'),
        parts(settings),
      ]);
      const log = createLog(settings.logLevel);
      for (const one of unknownVariables(process.env)) log.warn(`nothing reads ${one}`);
      try {
        process.exit(await runProcesses(loaded, settings, { log }));
      } catch (error) {
        // At once: the SDK's core would keep the process alive.
        exitNow(await reportError(error, command.optsWithGlobals<{ debug?: boolean }>()));
      }
    });
