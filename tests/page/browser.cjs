"use strict";
// Opens the pages in Chromium and prints, as one JSON object, all that the tests ask about.
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const axe = require("axe-core").source;
const { chromium } = require("playwright-core");
const { HtmlValidate, StaticConfigLoader } = require("html-validate");

const [, , folder, executablePath] = process.argv;
const served = [];
const server = http.createServer((request, response) => {
  served.push(request.url);
  const file = path.join(folder, path.basename(request.url));
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(fs.readFileSync(file));
});

let browser;
let origin;
const open = async (name, options = {}, noise = []) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("console", (message) => noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("request", (request) => noise.push(`request: ${request.url()}`));
  await page.goto(`${origin}/${name}.html`);
  return page;
};
const openAll = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
const names = (page) =>
  page.$$eval("#jobs-table tbody tr", (rows) => rows.filter((row) => row.offsetParent).map((row) => row.cells[0].textContent));
const heads = (page) =>
  page.$$eval("#jobs-table thead th", (cells) => cells.filter((cell) => cell.offsetParent).map((cell) => cell.dataset.name));
const status = (page) => page.textContent("#status");

const quiet = async (name) => {
  const noise = [];
  const page = await open(name, {}, noise);
  await openAll(page);
  await page.waitForTimeout(100);
  const title = await page.title();
  await page.context().close();
  return { noise, title };
};

const table = async () => {
  const page = await open("small", { permissions: ["clipboard-read", "clipboard-write"] });
  const found = { heads: await heads(page), plan: await names(page) };
  const header = page.locator("th[data-name=training_footprint_gb]");
  for (const order of ["ascending", "descending", "again"]) {
    await header.locator("button").click();
    found[order] = { sort: await header.getAttribute("aria-sort"), names: await names(page) };
  }
  await page.locator("th[data-name=min_cards] button").click();
  found.missingLast = await names(page);
  await page.locator("th[data-name=min_cards] button").click();
  found.missingLastDescending = await names(page);
  await page.locator("th[data-name=min_cards] button").click();
  await page.fill("#filter", "H100 30b");
  found.filtered = { names: await names(page), status: await status(page) };
  await page.fill("#filter", "");
  await page.check("input[name=verdict][value=no]");
  found.misfits = { names: await names(page), status: await status(page) };
  await page.check("input[name=verdict][value='']");
  await page.getByLabel("Bands", { exact: true }).check();
  await page.getByLabel("Your columns").check();
  found.more = await heads(page);
  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("copied"));
  found.csv = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.evaluate(() => (document.getElementById("status").textContent = ""));
  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("status").textContent !== "");
  found.copiedWithoutClipboard = await status(page);
  const openJob = () => page.$eval("#job-3", (job) => job.open);
  found.jobBefore = await openJob();
  await page.click("#jobs-table a[href='#job-3']");
  await page.waitForFunction(() => document.getElementById("job-3").open);
  found.jobAfter = await openJob();
  await page.goto(`${origin}/small.html#job-4`);
  await page.reload();
  found.jobByAddress = await page.$eval("#job-4", (job) => job.open);
  await page.context().close();
  return found;
};

const keyboard = async () => {
  const page = await open("small", { reducedMotion: "reduce" });
  const focused = () =>
    page.evaluate(() => {
      const one = document.activeElement;
      const style = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      return {
        what: one.id || one.closest("th")?.dataset.name || one.getAttribute("href") || one.className || one.tagName,
        outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        inside: box.bottom > 0 && box.top < innerHeight,
      };
    });
  const path = [];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    path.push(await focused());
  }
  await page.focus("th[data-name=planned_cards] button");
  await page.keyboard.press("Enter");
  const sorted = await page.getAttribute("th[data-name=planned_cards]", "aria-sort");
  await page.focus("input[name=verdict][value='']");
  await page.keyboard.press("ArrowRight");
  const fitting = await names(page);
  await page.focus("#job-2 > summary");
  await page.keyboard.press("Enter");
  const opened = await page.$eval("#job-2", (job) => job.open);
  await page.context().close();
  return { path, sorted, fitting, opened };
};

const scriptOff = async () => {
  const page = await open("small", { javaScriptEnabled: false });
  const found = { names: await page.locator("#jobs-table tbody th").allTextContents() };
  found.controlsVisible = await page.isVisible("#filter");
  const hardware = page.locator("#jobs-table thead th[data-name=hardware]");
  found.columnBefore = await hardware.isVisible();
  await page.getByLabel("Run", { exact: true }).uncheck();
  found.columnAfter = await hardware.isVisible();
  await page.locator("#job-2 > summary").click();
  await page.locator("#job-2 > .more > summary").first().click();
  found.arithmeticVisible = await page.locator("#job-2 .steps dd").first().isVisible();
  found.text = await page.textContent("main");
  await page.context().close();
  return found;
};

const accessible = async (options) => {
  const page = await open("small", options);
  await openAll(page);
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  await page.context().close();
  return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
};

const width = async (name, across) => {
  const page = await open(name, { viewport: { width: across, height: 800 } });
  await openAll(page);
  const found = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    window: innerWidth,
    out: [...document.querySelectorAll("svg text")]
      .filter((text) => text.getBoundingClientRect().width && !text.closest("svg.name"))
      .filter((text) => {
        const [inner, outer] = [text, text.closest("svg")].map((part) => part.getBoundingClientRect());
        return inner.left < outer.left - 2 || inner.right > outer.right + 2;
      })
      .map((text) => text.textContent),
  }));
  await page.context().close();
  return found;
};

const policy = async () => {
  const page = await open("small");
  const blocked = await page.evaluate(async () => {
    const violated = [];
    document.addEventListener("securitypolicyviolation", (event) => violated.push(event.effectiveDirective));
    const image = new Image();
    image.src = "/image.png";
    const style = document.createElement("style");
    style.textContent = "body { color: red }";
    const script = document.createElement("script");
    script.textContent = "document.title = 'owned'";
    document.body.append(image, style, script);
    document.body.setAttribute("style", "color: red");
    await fetch("/data.json").catch(() => {});
    await new Promise((done) => setTimeout(done, 100));
    return violated;
  });
  const title = await page.title();
  await page.context().close();
  return { blocked: [...new Set(blocked)].sort(), title };
};

const printed = async () => {
  const page = await open("small");
  await page.pdf({ path: path.join(folder, "small.pdf"), preferCSSPageSize: true, printBackground: true });
  const openAfter = await page.$$eval("details.job[open]", (jobs) => jobs.length);
  await page.context().close();
  const off = await open("small", { javaScriptEnabled: false });
  await off.pdf({ path: path.join(folder, "off.pdf"), preferCSSPageSize: true, printBackground: true });
  await off.context().close();
  return { openAfter };
};

const motion = async (reducedMotion) => {
  const page = await open("small", { reducedMotion });
  const found = await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  await page.context().close();
  return found;
};

const valid = async (name) => {
  const loader = new StaticConfigLoader({ root: true, extends: ["html-validate:standard", "html-validate:a11y"] });
  const report = await new HtmlValidate(loader).validateFile(path.join(folder, `${name}.html`));
  return report.results.flatMap((one) => one.messages).map((one) => `${one.line}: ${one.ruleId}: ${one.message}`);
};

(async () => {
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const found = { origin, quiet: { small: await quiet("small"), hostile: await quiet("hostile") } };
  found.served = [...served];
  found.valid = { small: await valid("small"), hostile: await valid("hostile") };
  found.table = await table();
  found.keyboard = await keyboard();
  found.scriptOff = await scriptOff();
  found.width = {};
  for (const name of ["small", "hostile"]) {
    for (const across of [360, 1280]) found.width[`${name}-${across}`] = await width(name, across);
  }
  found.printed = await printed();
  found.motion = { reduce: await motion("reduce"), any: await motion("no-preference") };
  served.length = 0;
  found.policy = await policy();
  found.policy.served = [...served];
  const looks = { light: {}, dark: { colorScheme: "dark" }, narrow: { viewport: { width: 360, height: 800 } } };
  found.axe = {};
  for (const [name, options] of Object.entries(looks)) found.axe[name] = await accessible(options);
  await browser.close();
  server.close();
  process.stdout.write(JSON.stringify(found));
})().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
