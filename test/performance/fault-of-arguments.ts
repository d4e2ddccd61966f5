import { expect, jest } from '@jest/globals';

/** What is printed before the process would end. */
export function faultOfArguments(parse: () => unknown): string {
  const printed: string[] = [];
  const stderr = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => printed.push(String(text)) > 0);
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended');
  });
  try {
    expect(parse).toThrow('ended');
  } finally {
    stderr.mockRestore();
    exit.mockRestore();
  }
  return printed.join('');
}
