import { lockedPackages } from './artifacts/sbom.ts';
import { forbiddenLicences } from './licences/forbidden.ts';

/** `node scripts/licences.ts`: fails if a package that programs need when they run has a licence that is not allowed. */

const forbidden = forbiddenLicences(lockedPackages().components);
for (const line of forbidden) console.error(line);
process.exitCode = forbidden.length > 0 ? 1 : 0;
