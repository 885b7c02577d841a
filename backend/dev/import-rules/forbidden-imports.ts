import { globSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { parseSync } from "vite";
import { HANDLE_TOOL_FILES, MAY_IMPORT, ONLY_IN, OPEN_OTHER_FILES, ORDERS, WITHOUT_NODE } from "./table.ts";

/** @returns the files that the rules are for, with their folders from the root on, divided by `/` */
export function checkedFiles(root: string): string[] {
  return globSync("**/*.{ts,tsx,js}", { cwd: root, exclude: ["**/node_modules", "**/.*", "frontend/dist*"] })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !/\.(?:test|contract)\.tsx?$/.test(file));
}

const isIn = (folder: string, file: string): boolean => file.startsWith(`${folder}/`);

/** @returns the row for a file: its own, that of the files beside it, or that of the nearest folder; else "" */
function rowOf(file: string): string {
  const rows = [file, `${path.posix.dirname(file)}/*`];
  for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder)) rows.push(folder);
  return rows.find((row) => Object.hasOwn(MAY_IMPORT, row)) ?? "";
}

/** @returns the place of a file in an order: `whenShared` for what is shared, NaN for a folder that has none */
function placeOf(file: string, { folder, shared, parts }: (typeof ORDERS)[number], whenShared: number): number {
  const [part = "", ...below] = file.slice(folder.length + 1).split("/");
  if (shared.includes(part)) return whenShared;
  if (parts.includes(part)) return parts.indexOf(part);
  return below.length === 0 ? Infinity : NaN;
}

function isKnown(file: string): boolean {
  const order = ORDERS.find(({ folder }) => isIn(folder, file));
  return rowOf(file) !== "" && (order === undefined || !Number.isNaN(placeOf(file, order, 0)));
}

function mayImportFile(file: string, imported: string): boolean {
  if (!isKnown(imported)) return false;
  const order = ORDERS.find(({ folder }) => isIn(folder, file) && isIn(folder, imported));
  if (order !== undefined) return placeOf(imported, order, -Infinity) <= placeOf(file, order, order.parts.length);
  const row = rowOf(file);
  const importedRow = rowOf(imported);
  const allowed = MAY_IMPORT[row] ?? [];
  const rows = Object.keys(MAY_IMPORT);
  return (
    importedRow === row ||
    isIn(row, importedRow) ||
    allowed.includes(importedRow) ||
    allowed.includes("any") ||
    (allowed.includes("the above") && rows.indexOf(importedRow) < rows.indexOf(row))
  );
}

function mayImportPackage(file: string, specifier: string): boolean {
  const allowed = MAY_IMPORT[rowOf(file)] ?? [];
  if (allowed.includes("any")) return true;
  const [first = "", second] = specifier.split("/");
  const onlyIn = ONLY_IN[first];
  if (onlyIn !== undefined) return isIn(onlyIn, file);
  if (isBuiltin(specifier) && WITHOUT_NODE.some((folder) => isIn(folder, file))) return false;
  const packages = allowed.filter((name) => name !== "the above" && !Object.hasOwn(MAY_IMPORT, name));
  return packages.length === 0 || packages.includes(first.startsWith("@") ? `${first}/${second}` : first);
}

interface Import {
  readonly from: string;
  readonly isOnlyTypes: boolean;
}

/** @returns all that code imports or exports from elsewhere, without addresses that are made at run time */
function importsOf(file: string, code: string): Import[] {
  const { module, errors } = parseSync(file, code);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      from: moduleRequest.value,
      isOnlyTypes: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? { from: moduleRequest.value, isOnlyTypes: isType } : [],
      ),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const from = /^["'`]([^$]*)["'`]$/.exec(code.slice(start, end))?.[1];
      return from === undefined ? [] : { from, isOnlyTypes: false };
    }),
  ];
}

/** Whether a file that works with folders of jobs opens files by itself. */
function opensToolFiles(file: string, { from, isOnlyTypes }: Import): boolean {
  if (isOnlyTypes || !/^(?:node:)?fs(?:\/|$)/.test(from) || Object.hasOwn(OPEN_OTHER_FILES, file)) return false;
  return HANDLE_TOOL_FILES.some((folder) => isIn(folder, file));
}

/** @returns a sentence for each import of a file that the table forbids, and one for a file that it does not name */
export function forbiddenImports(file: string, code: string): string[] {
  if (!isKnown(file)) return [`${file} has no row in backend/dev/import-rules/table.ts`];
  return importsOf(file, code)
    .filter((imported) =>
      imported.from.startsWith(".")
        ? !mayImportFile(file, path.posix.join(path.posix.dirname(file), imported.from))
        : !mayImportPackage(file, imported.from) || opensToolFiles(file, imported),
    )
    .map(({ from }) => `${file} may not import ${from}`);
}
