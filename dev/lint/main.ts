import { RULES } from './rules.js';
import { Tree, type Faults, type Proof, type Rule } from './rule.js';

/**
 * `npm run lint:repo [-- name…]`: checks the repository by all rules, or by the named ones. Prints a line for
 * each with ✔, ✘ or - (skipped), and below it the violations, indented.
 */
const asked = process.argv.slice(2);
const rules = RULES.filter(({ name }) => asked.length === 0 || asked.includes(name));
if (rules.length === 0) throw new Error(`The rules are: ${RULES.map(({ name }) => name).join(', ')}.`);

const listed = async (faults: Faults): Promise<string[]> => {
  const found: string[] = [];
  for await (const fault of faults) found.push(fault);
  return found;
};

/** The violations in the repository, and faults of the rule itself if it fails its proofs. */
async function checkRule({ check, refused = [], accepted = [] }: Rule): Promise<string[]> {
  const faults = await listed(check(new Tree()));
  const toTree = (proof: Proof) => new Tree(typeof proof === 'function' ? proof() : proof);
  for (const [index, proof] of refused.entries()) {
    if ((await listed(check(toTree(proof)))).length === 0)
      faults.push(`refused[${index}] breaks the rule, but is accepted`);
  }
  for (const proof of accepted)
    for (const fault of await listed(check(toTree(proof)))) faults.push(`refused without reason: ${fault}`);
  return faults;
}

for (const rule of rules) {
  const faults = rule.isSkipped ? [] : await checkRule(rule).catch((error: Error) => [error.message]);
  const mark = rule.isSkipped ? '-' : faults.length === 0 ? '✔' : '✘';
  console.log([`${mark} ${rule.name}`, ...faults].join('\n').replaceAll('\n', '\n    '));
  if (faults.length > 0) process.exitCode = 1;
}
