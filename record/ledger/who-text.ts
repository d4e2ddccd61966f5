/** Says who asked, and whether a server has checked that. */
import type { LedgerWho } from '../../contracts/types.ts';
export function whoText({ given, source, identity, authenticated }: LedgerWho): string {
  const client = identity === undefined || identity === given ? [] : [`client ${identity}`];
  if (authenticated) {
    const { type, name } = authenticated;
    const called = given === undefined || given === name ? [] : [`as ${given}${sourceText(source)}`];
    return `${name} (authenticated${type && `: ${type}`}${listed([...called, ...client])})`;
  }
  if (given !== undefined) return `${given} (claimed${sourceText(source)}${listed(client)})`;
  return identity === undefined ? 'unknown' : `unknown (claimed${listed(client)})`;
}

const sourceText = (source: string | undefined) => (source === undefined ? '' : ` by ${source}`);

const listed = (parts: readonly string[]) => parts.map((part) => `, ${part}`).join('');
