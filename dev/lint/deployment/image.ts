import { differences, edited, unless, type Rule } from '../rule.js';
import { sourcePath } from './manifests.js';

const DOCKERFILE = 'Dockerfile';
/**
 * Images and actions that are not pinned yet. All others must be and stay pinned. `ops/pin.sh` pins all of
 * them; this is empty then.
 */
export const UNPINNED = [
  'caddy:2',
  'node:24-slim',
  'postgres:18',
  'prom/prometheus:v3.7.0',
  'temporalio/auto-setup:1.29',
  'temporalio/ui:2.42.1',
];
/** The files that name images and actions. */
export const PINNED_FILES = [
  DOCKERFILE,
  'compose.yaml',
  'ops/backup/cron-job.yaml',
  'ops/prometheus/stateful-set.yaml',
  '.github/workflows/test.yml',
  '.github/workflows/weekly.yml',
];

/** The images and actions that the files use, except the image that is built here. */
export const imagesIn = (read: (file: string) => string): string[] =>
  PINNED_FILES.flatMap((file) => [...read(file).matchAll(/^(?:FROM|\s+image:|.*uses:) (\S+)/gm)])
    .map(([, what]) => what!)
    .filter((what) => what !== 'holdfast');

/** Those without a digest, each listed once. */
export const unpinnedIn = (read: (file: string) => string): string[] =>
  [...new Set(imagesIn(read))].filter((what) => !/@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$/.test(what)).sort();

/**
 * The image runs Node 24 as a non-root user, from existing files, contains only what `ops/image-files.mjs`
 * collects, and is pinned.
 */
export const image: Rule = {
  name: 'image',
  *check(tree) {
    const dockerfile = tree.read(DOCKERFILE);
    for (const [from, base] of dockerfile.matchAll(/^FROM (\S+)/gm))
      yield* unless(
        /^node:24-slim(@sha256:[0-9a-f]{64})?$/.test(base!),
        `${tree.at(DOCKERFILE, from)}: not of Node 24`,
      );
    yield* unless(/^USER node$/m.test(dockerfile), `${DOCKERFILE}: it runs as root`);
    const [, command] = /^CMD \["(.*)"\]$/m.exec(dockerfile)!;
    yield* unless(tree.has(sourcePath([command!])), `${DOCKERFILE}: ${command} does not exist`);
    yield* differences(
      `${DOCKERFILE}: what is copied`,
      [...dockerfile.matchAll(/^COPY --from=build (.*)$/gm)].map(([, files]) => files),
      ['/app/image ./'],
    );
    const [, flags] = /^ENTRYPOINT \["node", (.*)\]$/m.exec(dockerfile)!;
    const { scripts } = JSON.parse(tree.read('package.json'));
    for (const name of ['api', 'worker'])
      yield* differences(
        `package.json: ${name}`,
        scripts[name],
        `exec node ${flags!.replaceAll(/[",]/g, '')} build/${name}/main.js`,
      );
    const ignored = tree.read('.dockerignore').trim().split('\n');
    const [, built] = /const SERVICE = \[([^\]]*)\]/.exec(tree.read('dev/build.mjs'))!;
    const folders = [...built!.matchAll(/'(\w+)'/g)].map(([, folder]) => folder!);
    for (const needed of [...folders, 'dev', 'package.json', 'package-lock.json', 'tsconfig.json'])
      yield* unless(!ignored.includes(needed), `.dockerignore: ${needed} is needed`);
    yield* differences('images and actions without a digest', unpinnedIn(tree.read), UNPINNED);
  },
  refused: [
    edited(DOCKERFILE, 'USER node', 'USER root'),
    edited('.github/workflows/test.yml', /@[0-9a-f]{40}/, '@v4'),
    edited('.dockerignore', 'docs', 'web'),
  ],
};
