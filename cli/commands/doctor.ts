import { Command, Option } from 'commander';
import { ACCOUNTS, type Account } from '../doctor/account.ts';
import type { Finding } from '../doctor/finding.ts';
import { findingText, tallyOfFindings } from '../doctor/findings-text.ts';
import { archiveOptions, configurationOptions, evidenceOptions } from '../input/job-options.ts';
import { type Format, note, outputOption, print, write } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import { EXIT_CODES, exitWith } from '../shell/exit-codes.ts';
import { withExamples } from '../shell/help-text.ts';

const HELP = `Looks at Temporal, workers, the cluster, the watcher, gang schedulers, the evidence store and the archive, and says
how to repair what is wrong. Changes nothing; --for worker writes to buckets to see whether it can. Exit code: ${EXIT_CODES.ok.code} without faults, ${EXIT_CODES.unhealthy.code} with one.`;

export const doctorCommand = (): Command =>
  withExamples(
    settingOptions(archiveOptions(evidenceOptions(configurationOptions(new Command('doctor')))), [
      'namespaces',
    ]),
    ['doctor', 'doctor -n ml -o json', 'doctor --for worker --namespaces team-a,team-b'],
    HELP,
  )
    .description('find what keeps jobs from running, with remedies')
    .addOption(
      new Option('--for <account>', 'whose rights in the cluster and the stores are needed')
        .choices(ACCOUNTS)
        .default('user'),
    )
    .addOption(outputOption())
    .action(async (flags: { for: Account; output: Format }, command: Command) => {
      const settings = await settingsOf(command);
      const { examine } = await import('../doctor/examine.ts');
      const findings: Finding[] = [];
      for await (const finding of examine(settings, flags.for)) {
        findings.push(finding);
        if (!flags.output) write(findingText(finding));
      }
      if (flags.output) await print(findings, flags.output, () => '');
      note(tallyOfFindings(findings));
      if (findings.some(({ state }) => state === 'fault')) exitWith('unhealthy');
    });
