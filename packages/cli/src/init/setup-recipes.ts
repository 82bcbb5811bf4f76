// Settings for CI and editors that `tollgate init` writes.

import { VERSION } from '../process/version.ts';
import type { Choice, NewFile } from './new-files.ts';

/** A CI service or an editor, and the file that sets it up. */
export interface SetupRecipe extends Choice {
  readonly file: NewFile;
}

const REPOSITORY = 'tollgate-policies/tollgate';
const INSTALL = `npm install --no-save @tollgate/cli@${VERSION}`;

/** The services that `tollgate init` writes a file for. */
export const CI_RECIPES: readonly SetupRecipe[] = [
  {
    name: 'github',
    summary: 'GitHub Actions',
    file: {
      path: '.github/workflows/tollgate.yml',
      text: `name: Tollgate

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read
  pull-requests: write

jobs:
  policies:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          # The comment compares with the base of the pull request.
          fetch-depth: 0
      - uses: ${REPOSITORY}@v${VERSION}
`,
    },
  },
  {
    name: 'gitlab',
    summary: 'GitLab CI',
    file: {
      path: '.gitlab-ci.yml',
      text: `include:
  - remote: https://raw.githubusercontent.com/${REPOSITORY}/v${VERSION}/integrations/gitlab/tollgate.gitlab-ci.yml
`,
    },
  },
  {
    name: 'circleci',
    summary: 'CircleCI',
    file: {
      path: '.circleci/config.yml',
      text: `version: 2.1

jobs:
  policies:
    docker:
      - image: cimg/node:24.9
    steps:
      - checkout
      - run: ${INSTALL}
      - run: npx tollgate lint -f text -f junit=reports/tollgate/lint.xml .
      - run: npx tollgate test -f text -f junit=reports/tollgate/test.xml .
      - store_test_results:
          path: reports

workflows:
  policies:
    jobs: [policies]
`,
    },
  },
  {
    name: 'jenkins',
    summary: 'Jenkins',
    file: {
      path: 'Jenkinsfile',
      text: `pipeline {
  agent { docker { image 'node:24' } }
  stages {
    stage('Install') {
      steps { sh '${INSTALL}' }
    }
    stage('Lint') {
      steps { sh 'npx tollgate lint -f text -f junit=reports/lint.xml .' }
    }
    stage('Test') {
      steps { sh 'npx tollgate test -f text -f junit=reports/test.xml .' }
    }
  }
  post {
    always { junit 'reports/*.xml' }
  }
}
`,
    },
  },
  {
    name: 'pre-commit',
    summary: 'hooks of pre-commit, before each commit',
    file: {
      path: '.pre-commit-config.yaml',
      text: `repos:
  - repo: https://github.com/${REPOSITORY}
    rev: v${VERSION}
    hooks:
      - id: tollgate-fmt
      - id: tollgate-lint
      - id: tollgate-test
`,
    },
  },
];

/** The editors that `tollgate init` writes a file for. */
export const EDITOR_SETTINGS: readonly SetupRecipe[] = [
  {
    name: 'vscode',
    summary: 'VS Code: recommends the extension',
    file: {
      path: '.vscode/extensions.json',
      text: `{
  "recommendations": ["tollgate-policies.tollgate-vscode"]
}
`,
    },
  },
];
