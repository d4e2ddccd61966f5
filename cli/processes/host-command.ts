import { Command } from 'commander';
import { settingsOf } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import { withExamples } from '../shell/help-text.ts';
import type { HostedProcess } from './run-processes.ts';

/** Creates a command that runs parts of signalbox until it is stopped. */
export const hostCommand = (
  name: string,
  description: string,
  parts: () => Promise<readonly HostedProcess[]>,
): Command =>
  withExamples(settingOptions(new Command(name), ['httpHost', 'httpPort']), [
    name,
    `${name} --http-port 0 --log-level debug`,
  ])
    .description(description)
    .action(async (_flags: unknown, command: Command) => {
      const settings = await settingsOf(command);
      const [{ runProcesses }, { createLog }, loaded] = await Promise.all([
        import('./run-processes.ts'),
        import('./log.ts'),
        parts(),
      ]);
      process.exit(await runProcesses(loaded, settings, createLog(settings.logLevel)));
    });
