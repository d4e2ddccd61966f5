import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { page, paragraph, table } from './markdown.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'decisions');

interface Decision {
  readonly number: number;
  readonly file: string;
  readonly title: string;
  /** The sentences below the title, e.g. `Extends [decision 23](0023-….md).`, if there are any. */
  readonly relations: readonly string[];
}

const RELATIONS = {
  'Supersedes in part': 'superseded in part by',
  Supersedes: 'superseded by',
  Extends: 'extended by',
} as const;

/** Returns docs/decisions/README.md. */
export function decisionsPage(): string {
  const all = readdirSync(FOLDER)
    .filter((file) => /^\d{4}-.*\.md$/.test(file))
    .sort()
    .map(decisionIn);
  return page({
    title: 'Decisions',
    source: 'the records beside it',
    body: [
      paragraph(
        'Why signalbox is as it is: choices that are hard to reverse or surprising. A record is not changed when it is superseded; a later one says below its title what it supersedes or extends.',
      ),
      table(
        ['', 'decision', 'later'],
        all.map((decision) => [
          String(decision.number),
          `[${decision.title}](${decision.file})`,
          all.flatMap((later) => relationOf(later, decision)).join(', '),
        ]),
      ),
    ],
  });
}

function decisionIn(file: string): Decision {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const [, number = '', title = ''] = /^# (\d+)\. (.*)$/m.exec(text) ?? [];
  const below = text.slice(0, text.indexOf('\n## ')).split('\n').slice(1).join(' ').trim();
  return { number: Number(number), file, title, relations: below.split(/(?<=\.) +/) };
}

/** Returns what a later decision does to an earlier one, seen from the earlier one. */
function relationOf({ number, file, relations }: Decision, earlier: Decision): string[] {
  const relation = relations.find((sentence) => sentence.includes(`(${earlier.file})`));
  const how = Object.entries(RELATIONS).find(([words]) => relation?.startsWith(`${words} [`));
  return how ? [`${how[1]} [${number}](${file})`] : [];
}
