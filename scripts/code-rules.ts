import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Fails if the product has code for which there is a better way, other than where the rule says. */
const RULES = [
  {
    pattern: /process\.exitCode\b|process\.exit\((?!await)/,
    within: /^cli\//,
    instead: 'exitWith and exitNow of cli/shell/exit-codes.ts decide exit codes',
    // A second Ctrl-C must end a process that hangs.
    except: ['cli/shell/exit-codes.ts', 'cli/processes/run-processes.ts'],
  },
  {
    pattern: /\.name [!=]== '\w*Error'|\b(error|cause)\)?\.name\b/,
    instead: 'instanceof, or errorCode of language/error-code.ts: a class may be renamed',
    // Names that the standard, the SDK of S3 and S3 servers give.
    except: [
      'language/error-code.ts',
      'record/archive/s3-archive-store.ts',
      'record/archive/store-fault.ts',
      'activities/support/failures.ts',
    ],
  },
  {
    pattern: /\b(error|cause|thrown)( as unknown)? as (Error|NodeJS\.ErrnoException)\b/,
    instead: 'errorMessage and asError of language/error-message.ts, or errorCode',
    except: [],
  },
  {
    pattern: /Object\.keys\([^()]*\)+ as \(?\w|Object\.fromEntries\(.*value !== undefined\)\)+ as /,
    instead: 'keysOf and withoutUndefined of language/fields.ts',
    // What the package of the sandbox needs of its own.
    except: ['language/fields.ts', 'packages/sandbox/ports.ts'],
  },
  {
    pattern: /\boptions as \w*Options\b|\(\w+ as readonly string\[\]\)\.includes/,
    instead: 'Framework<Options>, or isOneOf of language/one-of.ts',
    except: [],
  },
  {
    pattern: /AbortSignal\.timeout\((?![A-Z_]+\))|addEventListener\('abort', \(\) => resolve\(\)/,
    instead: 'timeoutSignal of language/timers.ts, whenAborted of language/when-aborted.ts',
    except: ['language/timers.ts', 'language/when-aborted.ts'],
  },
] as const satisfies readonly Rule[];

interface Rule {
  readonly pattern: RegExp;
  /** Default: everywhere. */
  readonly within?: RegExp;
  readonly instead: string;
  readonly except: readonly string[];
}

const SKIPPED = /(^|\/)test\/|^scripts\//;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && !SKIPPED.test(file) && existsSync(file));
const found = files.flatMap((file) => {
  const rules: readonly Rule[] = RULES;
  const due = rules.filter(({ within, except }) => (within?.test(file) ?? true) && !except.includes(file));
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    due
      .filter(({ pattern }) => pattern.test(line))
      .map(({ instead }) => `${file}:${index + 1}: ${line.trim()}\n    use ${instead}`),
  );
});
for (const one of found) console.log(one);
process.exitCode = found.length > 0 ? 1 : 0;
