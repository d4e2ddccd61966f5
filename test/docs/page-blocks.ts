/** What the blocks of type `sh` have, but for those that a comment before them says are not run. */
export const shellBlocks = (text: string): readonly string[] =>
  [...text.matchAll(/(<!-- not run.*-->\n)?```sh\n([^`]*)```/g)].flatMap(([, isNotRun, block = '']) =>
    isNotRun ? [] : [block],
  );

/** The YAML files that a page has, each below its name: name and content. */
export const yamlFiles = (page: string): readonly (readonly [name: string, content: string])[] =>
  [...page.matchAll(/`(\w+\.yaml)`[^\n`]*:\n\n```yaml\n([^`]*)```/g)].map(([, name = '', content = '']) => [
    name,
    content,
  ]);
