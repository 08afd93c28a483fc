//! The front door: the gallery, the ten lines of the README, the pages of the site.

use std::fmt::Write as _;
use std::path::Path;

use asperity::run::Run;
use asperity::scene::Document;

use crate::names::sorted_entries;
use crate::{pages, read, root};

/// The gallery is made from the titles of the scenes; ASPERITY_WRITE=1 writes it again. Its pictures are drawn by docs/make-gallery.
#[test]
fn the_gallery_has_every_scene_and_its_picture() {
    const PAGE: &str = "docs/gallery.md";
    let mut page = String::from(
        "# Gallery\n\nThree moments of every scene, drawn by the program itself (`docs/make-gallery`). What the fibres, facets and colours mean: [pictures](pictures.md).\n",
    );
    let (mut missing, mut bytes) = (Vec::new(), 0);
    for folder in sorted_entries("scenes") {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let _ = write!(page, "\n## {name}\n");
        for path in sorted_entries(Path::new("scenes").join(&name)) {
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let document = Document::read(&path).unwrap_or_else(|error| panic!("{error}"));
            let scene = document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"));
            let picture = format!("gallery/{name}-{}.png", scene.name);
            match std::fs::metadata(root().join("docs").join(&picture)) {
                Ok(file) => bytes += file.len(),
                Err(_) => missing.push(format!("{name}/{}", scene.name)),
            }
            let all = if document.variants().is_empty() { "" } else { " --variant all" };
            let _ = write!(
                page,
                "\n**{}.** `asperity run {name}/{}{all}`\n\n![{}]({picture})\n",
                scene.title, scene.name, scene.title
            );
        }
    }
    assert!(missing.is_empty(), "without a picture: run docs/make-gallery {}", missing.join(" "));
    assert!(bytes < 15_000_000, "the pictures have {bytes} bytes");
    if std::env::var_os("ASPERITY_WRITE").is_some() {
        std::fs::write(root().join(PAGE), page).expect("written");
    } else {
        assert_eq!(read(PAGE), page, "{PAGE} is out of date: run the test with ASPERITY_WRITE=1");
    }
}

/// The scene in the README has ten lines, runs, and its box goes downhill and is led aside by the grain.
#[test]
fn the_ten_lines_of_the_readme_are_a_scene() {
    let text = read("README.md");
    let mut blocks = text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let scene = blocks.find(|block| block.starts_with("title")).expect("a scene");
    assert_eq!(scene.lines().count(), 10, "{scene}");
    let document = Document::parse(scene, "README.md").unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(document.scene(None, &[]).unwrap_or_else(|error| panic!("{error}"))).expect("a run");
    let start = run.state().bodies[1].frame().centre;
    while !run.is_done() {
        run.step().expect("a step");
    }
    let way = run.state().bodies[1].frame().centre - start;
    assert!(way.y < -0.1 && way.z.abs() > 0.05, "it went {way}");
}

/// Every page of docs/ is in the list of the site. Those of the theory are listed by their titles; ASPERITY_WRITE=1 lists them again.
#[test]
fn the_site_has_every_page() {
    const PAGE: &str = "docs/SUMMARY.md";
    let (before, theory) = (read(PAGE), "- [Theory](theory/README.md)\n");
    let (first, rest) = before.split_once(theory).expect("a line for the theory");
    let after: Vec<&str> = rest.lines().skip_while(|line| line.starts_with("    - ")).collect();
    let mut summary = format!("{first}{theory}");
    for page in sorted_entries("docs/theory") {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        if name.ends_with(".md") && name != "README.md" {
            let text = read(&page);
            let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
            let _ = writeln!(summary, "    - [{title}](theory/{name})");
        }
    }
    let _ = writeln!(summary, "{}", after.join("\n"));
    if std::env::var_os("ASPERITY_WRITE").is_some() {
        std::fs::write(root().join(PAGE), &summary).expect("written");
    } else {
        assert_eq!(before, summary, "{PAGE} is out of date: run the test with ASPERITY_WRITE=1");
    }
    let listed: Vec<&str> = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let in_docs = pages().into_iter().filter_map(|page| page.strip_prefix("docs").map(Path::to_owned).ok());
    let missing: Vec<_> = in_docs.filter(|page| !listed.iter().any(|own| Path::new(own) == page)).collect();
    assert!(missing.is_empty(), "not in {PAGE}: {missing:?}");
}
