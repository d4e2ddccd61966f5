import { expect, test } from '@jest/globals';
import { questionFor } from '../../../cli/audit/question-for.ts';
import { QUESTION_HELP } from '../../../cli/audit/questions-table.ts';
import { QUESTIONS } from '../../../record/audit/questions.ts';

test.each([
  [{ by: 'ana' }, 'who'],
  [{ by: 'ana', since: new Date() }, 'who'],
  [{ request: 'stop' }, 'who'],
  [{ by: 'ana', phase: 'Failed' }, 'jobs'],
  [{ by: 'ana', request: 'stop', node: 'gpu-7' }, 'entries'],
  [{ waited: 3600 }, 'waits'],
  [{ waited: 3600, by: 'ana' }, 'jobs'],
  [{ restarted: true, node: 'gpu-7' }, 'restarts'],
  [{ restarted: true, phase: 'Completed' }, 'jobs'],
  [{ phase: 'Failed', node: 'gpu-7' }, 'jobs'],
  [{ job: 'ml/train' }, 'entries'],
  [{ job: 'ml/train', since: new Date() }, 'entries'],
  [{ since: new Date() }, 'jobs'],
] as const)('%j asks %s', (filter, question) => expect(questionFor(filter)).toBe(question));

test.each(QUESTION_HELP.map(({ name, filters }) => [name, filters] as const))(
  'the options of `audit %s` are the filters of its question',
  (name, filters) => {
    const known = Object.keys(QUESTIONS[name].filters).filter(
      // `restarts` has nothing but restarts; -n is an option of all commands.
      (filter) => filter !== 'namespace' && !(name === 'restarts' && filter === 'restarted'),
    );
    expect([...filters].sort()).toEqual(known.sort());
  },
);
