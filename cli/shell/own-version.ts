import manifest from '../../package.json' with { type: 'json' };

/** The version in package.json. */
export const ownVersion = (): string => manifest.version;
