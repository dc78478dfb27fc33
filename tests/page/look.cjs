"use strict";
// Opens every page of a folder in Chromium and prints, as one JSON object by file, what a validator, axe and the
// browser itself say of it.
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const axe = require("axe-core").source;
const { chromium } = require("playwright-core");
const { HtmlValidate, StaticConfigLoader } = require("html-validate");

const [, , folder, executablePath] = process.argv;
const looks = { light: {}, dark: { colorScheme: "dark" }, narrow: { viewport: { width: 360, height: 800 } } };

const valid = async (file) => {
  const loader = new StaticConfigLoader({ root: true, extends: ["html-validate:standard", "html-validate:a11y"] });
  const report = await new HtmlValidate(loader).validateFile(file);
  return report.results.flatMap((one) => one.messages).map((one) => `${one.line}: ${one.ruleId}: ${one.message}`);
};

const look = async (browser, file, options) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const noise = [];
  page.on("console", (message) => noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("request", (request) => noise.push(`request: ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  const heard = noise.slice(1);
  const title = await page.title();
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const violations = result.violations.map(
    (one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`,
  );
  await context.close();
  return { title, noise: heard, sideways: Math.max(width, 0), violations };
};

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const found = {};
  for (const name of fs.readdirSync(folder).filter((one) => one.endsWith(".html"))) {
    const file = path.join(folder, name);
    found[name] = { valid: await valid(file), looks: {} };
    for (const [kind, options] of Object.entries(looks)) found[name].looks[kind] = await look(browser, file, options);
  }
  await browser.close();
  process.stdout.write(JSON.stringify(found));
})().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
