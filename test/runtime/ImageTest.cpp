// Photos in files and folders: sizes, pixels, samples, and what is wrong with them.
#include "runtime/data/Dataset.h"
#include "runtime/data/formats/ImageDecoder.h"
#include "runtime/data/formats/ImageFolder.h"
#include "test/runtime/ImageFiles.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace dlm;
using namespace dlm::test;

namespace {

using Bytes = std::vector<uint8_t>;

class Images : public testing::Test {
protected:
  std::string file(const Bytes &bytes, const std::string &name = "photo") {
    writeTestFile(folder / name, bytes);
    return folder / name;
  }

  /// The pixels of a file as text, or the failure.
  std::string pixels(const Bytes &bytes, ImageSize size) {
    std::string path = file(bytes);
    Expected<ImageSize> probed = probeImage(path);
    if (!probed) return probed.status().message();
    if (*probed != size) return "probed another size";
    Bytes out(size_t(size.height * size.width * 3));
    Status status = decodeImage(path, size, out.data());
    if (!status.isOk()) return status.message();
    std::string text;
    for (size_t i = 0; i < out.size(); ++i)
      text += (i == 0 ? "" : i % 3 ? " " : ", ") + std::to_string(out[i]);
    return text;
  }

  void fails(const Bytes &bytes, const std::string &message) {
    std::string got = pixels(bytes, {2, 2});
    EXPECT_NE(got.find(message), std::string::npos) << got;
  }

  TemporaryFolder folder;
};

TEST_F(Images, PngOfEachFormBecomesColours) {
  EXPECT_EQ(pixels(pngBytes({2, 1}, {1, 2, 3, 4, 5, 6}), {1, 2}), "1 2 3, 4 5 6");
  EXPECT_EQ(pixels(pngBytes({2, 1, 8, 0}, {7, 200}), {1, 2}), "7 7 7, 200 200 200");
  EXPECT_EQ(pixels(pngBytes({3, 1, 1, 0}, {0xA0}), {1, 3}), "255 255 255, 0 0 0, 255 255 255");
  EXPECT_EQ(pixels(pngBytes({2, 1, 2, 3, {9, 8, 7, 1, 2, 3}}, {0x40}), {1, 2}), "1 2 3, 9 8 7");
  EXPECT_EQ(pixels(pngBytes({1, 2, 8, 6}, {1, 2, 3, 0, 4, 5, 6, 255}), {2, 1}), "1 2 3, 4 5 6");
  EXPECT_EQ(pixels(pngBytes({1, 1, 8, 4}, {50, 9}), {1, 1}), "50 50 50");
  EXPECT_EQ(pixels(pngBytes({1, 1, 16, 2}, {1, 0, 0x80, 0x80, 0xFF, 0xFF}), {1, 1}), "1 128 255");
}

TEST_F(Images, JpegOfEachFormBecomesColours) {
  Bytes red(8 * 8 * 3);
  for (size_t i = 0; i < red.size(); i += 3)
    red[i] = 200;
  for (int samples : {TJSAMP_444, TJSAMP_420}) {
    std::string path = file(jpegBytes(8, 8, red, TJPF_RGB, samples));
    ASSERT_TRUE(*probeImage(path) == (ImageSize{8, 8}));
    Bytes out(red.size());
    ASSERT_TRUE(decodeImage(path, {8, 8}, out.data()).isOk());
    for (size_t i = 0; i < out.size(); ++i)
      EXPECT_NEAR(out[i], red[i], 3);
  }
  Bytes grey(8 * 8, 77);
  Bytes out(red.size());
  ASSERT_TRUE(
      decodeImage(file(jpegBytes(8, 8, grey, TJPF_GRAY, TJSAMP_GRAY)), {8, 8}, out.data()).isOk());
  EXPECT_EQ(out, Bytes(red.size(), 77));
  // Light through each ink; at half of the black ink all channels are half as bright.
  Bytes inks;
  for (int i = 0; i < 64; ++i)
    inks.insert(inks.end(), {200, 100, 0, 128});
  ASSERT_TRUE(decodeImage(file(jpegBytes(8, 8, inks, TJPF_CMYK)), {8, 8}, out.data()).isOk());
  EXPECT_NEAR(out[0], 100, 4);
  EXPECT_NEAR(out[1], 50, 4);
  EXPECT_NEAR(out[2], 0, 4);
}

TEST_F(Images, ABrokenFileIsNamed) {
  Bytes png = plainPng(2, 2, 1, 2, 3);
  Bytes jpeg = jpegBytes(2, 2, Bytes(12, 90));
  for (const Bytes &whole : {png, jpeg})
    for (size_t size = 0; size < whole.size(); ++size)
      fails(Bytes(whole.begin(), whole.begin() + long(size)), "photo` ");
  fails({'G', 'I', 'F', '8', '9', 'a'}, "is neither a JPEG nor a PNG file");
  Bytes flipped = png;
  flipped[flipped.size() - 20] ^= 1; // in the pixels: the checksum is wrong
  fails(flipped, "is damaged");
  fails(pngBytes({0, 2}, {}), "its header has no sizes");
  Bytes out(300);
  EXPECT_NE(decodeImage(file(png), {3, 2}, out.data()).message().find("not of 3 x 2"),
            std::string::npos);
  EXPECT_NE(decodeImage(file(jpeg), {3, 2}, out.data()).message().find("not 3 x 2"),
            std::string::npos);
  EXPECT_NE(decodeImage(folder / "none", {2, 2}, out.data()).message().find("none"),
            std::string::npos);
}

class ImageFolders : public testing::Test {
protected:
  void SetUp() override {
    for (const char *name : {"cat", "dog"}) {
      makeFolder(folder / name);
      for (int i = 0; i < 20; ++i)
        add(std::string(name) + "/" + std::to_string(i) + ".png",
            plainPng(2, 3, uint8_t(i), name[0] == 'd', 9));
    }
  }
  void add(const std::string &name, const Bytes &bytes) { writeTestFile(folder / name, bytes); }

  std::string fault() {
    Expected<ImageFolder> listed = listImages(folder.path, nullptr);
    return listed ? "none" : listed.status().message();
  }

  DataSpec spec(int64_t skipLimit = -1) {
    Expected<ImageFolder> listed = listImages(folder.path, nullptr);
    EXPECT_TRUE(listed.isOk()) << listed.status().message();
    ImageFacts facts;
    facts.digests[0] = listed->digest;
    facts.skipLimit = skipLimit;
    DataSpec result;
    result.name = "pets";
    result.kind = "images";
    result.path = folder.path;
    result.facts = facts.toJson();
    result.fields = {{"image", DType::U8, {2, 3, 3}}, {"label", DType::I32, {}}};
    result.counts[0] = 30;
    result.counts[1] = int64_t(listed->entries.size()) - 30;
    return result;
  }

  /// Label and first pixel of a sample; or the failure.
  static std::string read(const Dataset &dataset, int64_t index) {
    Bytes image(18);
    int32_t label = -1;
    void *places[] = {image.data(), &label};
    Status status = dataset.read(index, places);
    if (!status.isOk()) return status.message();
    return std::to_string(label) + ":" + std::to_string(image[0]) + " " + std::to_string(image[1]);
  }

  TemporaryFolder folder;
};

TEST_F(ImageFolders, SamplesAreAllPhotosInAnOrderThatMixesClasses) {
  auto source = openDataSource(spec());
  ASSERT_TRUE(source.isOk());
  std::multiset<std::string> seen;
  int dogs = 0;
  for (Split split : {Split::Train, Split::Validation}) {
    auto dataset = (*source)->get(split);
    ASSERT_TRUE(dataset.isOk()) << dataset.status().message();
    for (int64_t i = 0; i < (*dataset)->size(); ++i) {
      std::string sample = read(**dataset, i);
      dogs += split == Split::Validation && sample[0] == '1';
      seen.insert(sample);
    }
  }
  std::multiset<std::string> expected;
  for (int label : {0, 1})
    for (int i = 0; i < 20; ++i)
      expected.insert(std::to_string(label) + ":" + std::to_string(i) + " " +
                      std::to_string(label));
  EXPECT_EQ(seen, expected);
  EXPECT_TRUE(dogs >= 2 && dogs <= 8) << dogs;
}

TEST_F(ImageFolders, AnotherListIsNoticed) {
  DataSpec compiled = spec();
  auto failure = [&] {
    auto source = openDataSource(compiled);
    return (*source)->get(Split::Train).status().message();
  };
  EXPECT_EQ(failure(), "");
  add("cat/0.png", plainPng(2, 3, 200, 100, 77)); // of another size in bytes
  EXPECT_NE(failure().find("holds other images than when the program was compiled"),
            std::string::npos)
      << failure();
  add("cat/20.png", plainPng(2, 3, 1, 1, 1));
  EXPECT_NE(failure().find("holds 41 images, the program was compiled for 40"), std::string::npos);
}

TEST_F(ImageFolders, WhatDoesNotBelongIsNamed) {
  add("cat/.hidden", {1});
  EXPECT_EQ(fault(), "none");
  add("cat/readme.txt", {1});
  EXPECT_NE(fault().find("cat/readme.txt` is not an image"), std::string::npos);
  unlink((folder / "cat/readme.txt").c_str());
  add("photo.png", {1});
  EXPECT_NE(fault().find("photo.png` is not a folder"), std::string::npos);
  unlink((folder / "photo.png").c_str());
  makeFolder(folder / "newt");
  EXPECT_NE(fault().find("newt` holds no images"), std::string::npos);
  std::vector<std::string> classes = {"cat", "dog"};
  EXPECT_NE(listImages(folder.path, &classes)
                .status()
                .message()
                .find("newt` is the folder of a class that the training samples do not have"),
            std::string::npos);
  TemporaryFolder empty;
  EXPECT_NE(listImages(empty.path, nullptr).status().message().find("is empty"), std::string::npos);
}

TEST_F(ImageFolders, ABrokenPhotoIsReplacedByTheNextGoodOne) {
  Bytes broken = plainPng(2, 3, 1, 1, 1);
  broken[broken.size() - 20] ^= 1;
  auto place = [&](int64_t index) {
    return listImages(folder.path, nullptr)->entries[size_t(index)];
  };
  std::string third = place(3).name, fourth = place(4).name;
  auto good = openDataSource(spec());
  std::string fifth = read(**(*good)->get(Split::Train), 5);
  add(third, broken);
  add(fourth, broken);

  auto strict = openDataSource(spec());
  EXPECT_NE(read(**(*strict)->get(Split::Train), 3).find(third), std::string::npos);

  auto source = openDataSource(spec(2));
  const Dataset &dataset = **(*source)->get(Split::Train);
  EXPECT_EQ(read(dataset, 4), fifth);
  EXPECT_EQ(read(dataset, 3), fifth);
  EXPECT_EQ(read(dataset, 3), fifth);
  std::vector<std::string> warnings = (*source)->takeWarnings();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("sample 4 of the train part is broken"), std::string::npos);
  EXPECT_NE(warnings[1].find("2 of at most 2"), std::string::npos);
  EXPECT_TRUE((*source)->takeWarnings().empty());

  auto limited = openDataSource(spec(1));
  EXPECT_NE(read(**(*limited)->get(Split::Train), 3).find("more than 1 samples of the train part"),
            std::string::npos);
}

TEST_F(ImageFolders, AFileThatCannotBeReadIsNotSkipped) {
  auto source = openDataSource(spec(2));
  const Dataset &dataset = **(*source)->get(Split::Train);
  std::string third = listImages(folder.path, nullptr)->entries[3].name;
  unlink((folder / third).c_str());
  EXPECT_NE(read(dataset, 3).find(third), std::string::npos);
}

} // namespace
