import { Command } from 'commander';
import { archiveOptions, evidenceOptions } from '../input/job-options.ts';
import { consolePart } from '../processes/console-part.ts';
import { settingsOf } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import type { Settings } from '../settings/settings.ts';
import { withExamples } from '../shell/help-text.ts';

const EXAMPLES = ['console --open', 'console --port 0', 'console --host 0.0.0.0 --identity kubernetes'];

const HELP = `It shows what \`list\`, \`get\`, \`why\`, \`logs\`, \`history\` and \`report\` print, live, and makes the same requests to jobs. It
listens on this machine alone, unless an identity is set (docs/console.md#who-may-see-what). Set SIGNALBOX_CONSOLE_PORT, and \`signalbox up\` runs one.`;

export const consoleCommand = (): Command =>
  settingOptions(archiveOptions(evidenceOptions(withExamples(new Command('console'), EXAMPLES, HELP))), [
    ...([
      'consoleHost',
      'consolePort',
      'consoleIdentity',
      'consoleReadOnly',
      'namespaces',
      'lanes',
      'httpHost',
      'httpPort',
    ] as const),
  ])
    .description('show jobs in the browser, live, and act on them')
    .option('--open', 'open it in the browser')
    .action(async ({ open }: { readonly open?: boolean }, command: Command) => {
      const settings = await settingsOf(command);
      const [{ createLog }, { runProcesses }] = await Promise.all([
        import('../processes/log.ts'),
        import('../processes/run-processes.ts'),
      ]);
      const log = createLog(settings.logLevel);
      const part = await consolePart({ open });
      process.exit(await runProcesses([part], besideOthers(settings), { log }));
    });

/** People start it where worker and watcher may run already: the port of their metrics is no fault. */
const besideOthers = (settings: Settings): Settings =>
  settings.origins.httpPort === 'default' ? { ...settings, http: { ...settings.http, port: 0 } } : settings;
