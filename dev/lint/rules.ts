import { apiChanges } from './api-changes.js';
import { apiDocument } from './api-document.js';
import { catalogs } from './catalogs.js';
import { citations } from './citations.js';
import { dashboardForms } from './dashboard-forms.js';
import { compose } from './deployment/compose.js';
import { canInstall } from './deployment/go-modules.js';
import { image } from './deployment/image.js';
import { kubernetes, releases } from './deployment/kubernetes.js';
import { metrics } from './deployment/metrics.js';
import { deployedSettings } from './deployment/settings.js';
import { documentCommands } from './document-commands.js';
import { tables } from './documents.js';
import { generated } from './generated.js';
import { histories } from './histories.js';
import { imports } from './imports.js';
import { migrations } from './migrations.js';
import { ignored, packages } from './packages.js';
import { personalData } from './personal-data.js';
import { sources } from './sources.js';
import { prose } from './prose.js';
import type { Rule } from './rule.js';
import { width } from './width.js';
import { statements } from './statements.js';
import { styles } from './styles.js';

export const RULES: Rule[] = [
  citations,
  tables,
  generated,
  ...documentCommands,
  ...sources,
  prose,
  width,
  styles,
  ...statements,
  migrations,
  personalData,
  histories,
  catalogs,
  dashboardForms,
  apiDocument,
  packages,
  ignored,
  imports,
  deployedSettings,
  compose,
  ...[apiChanges, kubernetes, releases].map((rule) => ({ ...rule, isSkipped: !canInstall })),
  image,
  metrics,
];
