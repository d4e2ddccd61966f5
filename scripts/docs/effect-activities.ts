import { compareText } from '../../language/compare-text.ts';
import { EFFECT_SUMMARIES } from '../../machines/model/effects.ts';

/** Files that are not named as their activity: it is one of several that share what they do. */
const FILES: Readonly<Record<string, string>> = { joinLane: 'lane-places' };

/** Returns activities/effects.ts: the activity of each effect. */
export function effectActivities(): string {
  const names = Object.keys(EFFECT_SUMMARIES);
  const imports = names
    .map((name) => ({ name, file: FILES[name] ?? fileOf(name) }))
    .sort((one, other) => compareText(one.file, other.file));
  return `// Generated from machines/model/effects.ts by \`npm run docs\`.

${imports.map(({ name, file }) => `import { ${name} } from './${file}.ts';\n`).join('')}
/** The activities of effects, by their names. */
${EXPORT} const EFFECT_ACTIVITIES = {
${names.map((name) => `  ${name},\n`).join('')}} as const;
`;
}

const fileOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Not written in one piece: a check reads exported names. */
const EXPORT = 'export';
