/** The import of clicks, for administrators: what happened before, loaded in bulk (docs/contract/s2s.md). */
import type Router from '@koa/router';
import { ApiError, UnavailableError } from '../errors';
import type { Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import { readBatch } from '../ingest/batch';
import { choice, closed, list, named, ofTypes, optional, Type } from '../lib/schema';
import { errorReply, pathParameter } from '../openapi/operation';
import { importClicks, IMPORT_LIMITS, IMPORT_REASONS, type ImportOptions } from './import';
import { app, domain, SCHEMAS } from './openapi';
import { listParameters, readParameter, type ParameterName } from './parameters';

export interface ClickImportParts extends ImportOptions {
  readonly admins: Administrators;
}

const operation = endpoints<ClickImportParts>();

const imported = (name: ParameterName) => {
  const { description, form } = readParameter(name);
  return ofTypes<string | number | null>(['string', 'number', 'null'], { ...SCHEMAS[form], description });
};
const OPTIONAL_FIELDS = listParameters('click').filter((name) => !['c', 'tid', 'click_time'].includes(name));
const importedClick = Type.Object(
  {
    c: imported('c'),
    tid: imported('tid'),
    click_time: ofTypes<string | number>(['string', 'number'], {
      description: 'When the ad was clicked, however long ago: RFC 3339, or Unix time in milliseconds or seconds.',
    }),
    ...optional({
      ...Object.fromEntries(OPTIONAL_FIELDS.map((name) => [name, imported(name)])),
      app_id: Type.Unsafe<string>({ ...app.schema, description: app.description }),
      d: Type.Unsafe<string>({ ...domain.schema, description: domain.description }),
    }),
  },
  { title: 'ImportedClick' },
);
const answer = named(
  'ImportedClicks',
  closed({
    accepted: Type.Integer({ minimum: 0, description: 'Clicks that are stored now, or were already.' }),
    rejected: list(
      closed({
        index: Type.Integer({ minimum: 0 }),
        reason: choice(IMPORT_REASONS, { type: 'string' }),
        field: Type.String({ description: 'The field, or empty for the row as a whole.' }),
      }),
    ),
  }),
);

/** Checks the project, the body, then each row; answers 200 once the good rows are durable. */
export const importApi: EndpointSection<ClickImportParts> = {
  tag: 'Imports',
  description: 'What happened before, loaded in bulk.',
  operations: [
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/clicks',
      operationId: 'importClicks',
      repeatable: true,
      summary: 'Import clicks',
      description:
        'Clicks of any age with their original times, for campaigns of the project that are not deleted, also ' +
        "where the partner's S2S clicks are switched off. Each is checked by itself, as an S2S click is, and has " +
        'the ID that S2S gives: ' +
        'one that is stored already stays as it is. Installs that are decided keep what they have. `adtrail ' +
        'import clicks FILE` sends a file.',
      auth: admin.installation,
      parameters: [pathParameter('id', 'ID of the project, as its list gives it.')],
      body: json({
        schema: Type.Object({ clicks: list(importedClick, { maxItems: IMPORT_LIMITS.maxRows }) }),
        example: { clicks: [{ c: 'AbC123', tid: 'touch-1', click_time: '2025-11-07T09:30:00Z', ip: '203.0.113.7' }] },
        limit: '50mb',
        anyText: true,
        // 10,000 clicks of 50 fields.
        maxValues: 500_000,
        parse: (body) => readBatch(body, IMPORT_LIMITS),
      }),
      responses: {
        200: {
          description: 'The good clicks are durable.',
          schema: answer,
          example: { accepted: 1, rejected: [] },
        },
        400: errorReply(400, 'The body is no JSON object with clicks.', 'clicks: must be an array of clicks'),
        404: errorReply(404, 'There is no such project.', 'Project not found.'),
      },
      handle: (ctx, parts, { readBody }) => {
        const project = parts.snapshot.project(Number(ctx.params.id));
        if (parts.snapshot.stale) throw new UnavailableError();
        if (!project) throw new ApiError(404, 'Project not found.');
        return importClicks(project.id, readBody(), parts);
      },
    }),
  ],
};

export const clickImportRoutes = (parts: ClickImportParts): Router => createRoutes(importApi, parts);
